import { beforeEach, expect, it } from "vitest";
import {
  FAST,
  manifestPath,
  manifestText,
  MODULE,
  REGULAR,
  REGULAR_POLICY,
  templateText,
} from "../../src/check/example.ts";
import { forgetIdentity, kymaIn, merge, POLICY, siteOf } from "./promoting.ts";
import type { Folder } from "../systems/repository.ts";
import { newest } from "./verifying.ts";

beforeEach(forgetIdentity);

const asTwin = (text: string): string => text.replaceAll("sample", "twin");

/** A site that serves `sample` and `twin`, of which fast got 1.1.0 nine and eight days ago. */
function twinsWith(limits: string): Folder {
  const twin = {
    [asTwin(FAST)]: asTwin(templateText("fast", "1.0.0")),
    [asTwin(REGULAR)]: asTwin(templateText("regular", "1.0.0")),
    [asTwin(MODULE)]: 'format: 1\nowners: ["@kyma-project/twin"]\n',
  };
  const site = siteOf({ ...twin, [REGULAR_POLICY]: `${POLICY}  limits: ${limits}\n` });
  const text = templateText("fast", "1.1.0");
  merge(site, { [FAST]: text, [manifestPath("1.1.0")]: manifestText("1.1.0") }, 9);
  const path = asTwin(manifestPath("1.1.0"));
  merge(site, { [asTwin(FAST)]: asTwin(text), [path]: asTwin(manifestText("1.1.0")) }, 8);
  return site;
}

it("proposes no more than the limit of a window, the longest earned first", async () => {
  const site = twinsWith("{ perWindow: 1 }");
  const { stdout, code } = await kymaIn(site.path, ["promote", "--apply"]);

  expect([code, site.git("branch", "--list", "promote/*").trim()]).toEqual([0, "promote/regular/sample"]);
  expect(stdout).toMatch(/twin .* wait: regular takes 1 promotions a day: 0 moved since /);
});

it("proposes a group on one branch, whichever module is named, and can decide it again", async () => {
  const site = twinsWith("{ together: [[twin, sample]] }");
  const first = await kymaIn(site.path, ["promote", "--apply", "sample"]);
  const tip = site.git("rev-parse", "promote/regular/twin");
  const second = await kymaIn(site.path, ["promote", "--apply"]);

  expect([first.code, second.code]).toEqual([0, 0]);
  expect(second.stdout).toContain("it moves together with twin");
  expect(site.git("branch", "--list", "promote/*").trim()).toBe("promote/regular/twin");
  expect(site.git("rev-parse", "promote/regular/twin")).toBe(tip);
  expect(site.git("log", "-1", "--format=%s", tip)).toBe("Promote twin 1.1.0 and sample 1.1.0 to regular");
  expect(site.git("diff", "--name-only", "main", tip).split("\n")).toEqual([REGULAR, asTwin(REGULAR)]);

  site.git("stash", "--quiet", "--include-untracked");
  site.git("merge", "--quiet", "--no-ff", "promote/regular/twin");
  expect(await newest(site)).toMatchObject({ code: 0, result: "verified" });
});

it("closes the proposal of a group once one of its versions is held", async () => {
  const site = twinsWith("{ together: [[twin, sample]] }");
  await kymaIn(site.path, ["promote", "--apply"]);
  const hold = `format: 1
holds:
  - { version: 1.1.0, reason: it leaks, by: octocat, since: "2026-01-01T00:00:00Z" }
`;
  merge(site, { "modules/sample/holds.yaml": hold }, 0);
  const { stdout } = await kymaIn(site.path, ["promote", "--apply"]);

  expect(stdout).toMatch(
    /twin .* blocked: regular takes twin only together with sample, whose 1\.1\.0 is blocked: octocat/,
  );
  expect(site.git("branch", "--list", "promote/*")).toBe("");
});
