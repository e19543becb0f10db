import { beforeEach, expect, it } from "vitest";
import { manifestPath, manifestText, MODULE, MODULE_TEXT, templateText } from "../../src/check/example.ts";
import { forgetIdentity, instantOf, kymaIn, merge } from "./promoting.ts";
import { twinsWith } from "./twins.ts";

beforeEach(forgetIdentity);

it("proposes no more than the limit of a window, the longest earned first", async () => {
  const site = twinsWith("{ perWindow: 1 }");
  const { stdout, code } = await kymaIn(site.path, ["promote", "--apply"]);

  expect([code, site.git("branch", "--list", "promote/*").trim()]).toEqual([0, "promote/regular/sample"]);
  expect(stdout).toMatch(/twin .* wait: regular .*\b1 promotion a day\b.*\b0 moved since /);
});

it("deletes the proposal of a group as soon as a hold on one of its versions is proposed", async () => {
  const site = twinsWith("{ together: [[twin, sample]] }");
  await kymaIn(site.path, ["promote", "--apply"]);
  const other = await kymaIn(site.path, ["hold", "sample@1.0.0", "--reason", "it leaks"]);
  expect(other.stdout).not.toContain("closed:");
  const { stdout } = await kymaIn(site.path, ["hold", "sample@1.1.0", "--reason", "it leaks"]);

  expect(stdout).toContain("closed: promote/regular/twin\n");
  expect(site.git("branch", "--list", "promote/*")).toBe("");
});

it("closes the proposal of a group once one of its versions is held", async () => {
  const site = twinsWith("{ together: [[twin, sample]] }");
  await kymaIn(site.path, ["promote", "--apply"]);
  expect(site.git("branch", "--list", "promote/*").trim()).toBe("promote/regular/twin");
  const hold = `format: 1
holds:
  - { version: 1.1.0, reason: it leaks, by: octocat, since: "2026-01-01T00:00:00Z" }
`;
  merge(site, { "modules/sample/holds.yaml": hold }, 0);
  const { stdout } = await kymaIn(site.path, ["promote", "--apply"]);

  expect(stdout).toMatch(/twin .* blocked: regular .*\btwin\b.*\bsample\b.* 1\.1\.0 .*blocked: octocat\b/);
  expect(site.git("branch", "--list", "promote/*")).toBe("");
});

it("keeps the proposal of a group while only a freeze of one of its modules stops it", async () => {
  const site = twinsWith("{ together: [[twin, sample]] }");
  await kymaIn(site.path, ["promote", "--apply"]);
  const freeze = `{ from: ${instantOf(1)}, until: ${instantOf(-1)}, reason: audit }`;
  merge(site, { [MODULE]: `${MODULE_TEXT}policy: { regular: { freezes: [${freeze}] } }\n` }, 0);
  const { code, stdout } = await kymaIn(site.path, ["promote", "--apply"]);

  expect([code, site.git("branch", "--list", "promote/*").trim()]).toEqual([0, "promote/regular/twin"]);
  expect(stdout).toMatch(/^regular +twin .* wait until .*\bfreeze$/m);
  expect(stdout).toMatch(/^left +regular\/twin 1\.1\.0 .*\bcalendar$/m);
});

it("proposes no group while a hot-fix of one of its modules is proposed", async () => {
  const site = twinsWith("{ together: [[twin, sample]] }");
  const fix = { "modules/sample/1.0.1/template.yaml": templateText(undefined, "1.0.1") };
  merge(site, { ...fix, [manifestPath("1.0.1")]: manifestText("1.0.1") }, 1);
  const incident = ["--incident", "https://example.com/7"];
  await kymaIn(site.path, ["promote", "--hotfix", "sample@1.0.1", ...incident, "--apply"]);
  const { code, stdout } = await kymaIn(site.path, ["promote", "--apply"]);

  expect([code, site.git("branch", "--list", "promote/*").trim()]).toEqual([0, "promote/regular/sample"]);
  expect(stdout).toMatch(/^left +regular\/twin 1\.1\.0 +promote\/regular\/sample: .*\bhot-fix\b/m);
});
