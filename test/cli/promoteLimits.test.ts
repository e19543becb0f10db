import { beforeEach, describe, expect, it } from "vitest";
import {
  manifestPath,
  manifestText,
  MODULE,
  MODULE_TEXT,
  REGULAR_POLICY,
  templateText,
} from "../../src/check/example.ts";
import { bareRepository, configure } from "../systems/repository.ts";
import { forgetIdentity, instantOf, kymaIn, merge, POLICY } from "./promoting.ts";
import { readyTrain } from "./readyTrain.ts";
import type { Train } from "./train.ts";
import { TWIN, twinsWith, twinSubmission } from "./twins.ts";

beforeEach(forgetIdentity);

it("proposes no more than the limit of a window, the longest earned first", async () => {
  const site = twinsWith("{ perWindow: 1 }");
  const { stdout, code } = await kymaIn(site.path, ["promote", "--apply"]);

  expect([code, site.git("branch", "--list", "promote/*").trim()]).toEqual([0, "promote/regular/sample"]);
  expect(stdout).toMatch(/twin .* wait: regular .*\b1 promotion a day\b.*\b0 moved since /);
});

describe("a place in a window", () => {
  /** Regular takes one promotion a day: `sample` earned it first, then `twin`. */
  async function twinTrain(policy = POLICY): Promise<Train> {
    const { train } = await readyTrain({ settings: { checks: "green", checkNames: ["check"] } });
    train.merge({ ...TWIN, [REGULAR_POLICY]: `${policy}  limits: { perWindow: 1 }\n` }, 8.5);
    train.merge(twinSubmission("1.1.0"), 8);
    return train;
  }

  it.each([
    [
      "a person closed",
      ({ double }: Train) => {
        double.shut(4);
      },
    ],
    [
      "is a draft",
      ({ double }: Train) => {
        Object.assign(double.pulls().at(-1) ?? {}, { draft: true });
      },
    ],
    [
      "someone asks to change",
      ({ double }: Train) => {
        double.approve(4, { state: "CHANGES_REQUESTED" });
      },
    ],
    [
      "failed its checks",
      ({ double }: Train) => {
        double.setCheck("promote/regular/sample", "check", "red");
      },
    ],
    [
      "GitHub does not merge without a review",
      ({ double }: Train) => {
        double.protect("main", { writes: "pulls", approvals: 1 });
      },
    ],
  ] as const)("is not kept by a promotion that %s", async (_, stop) => {
    const train = await twinTrain();
    expect(await train.promote("--apply")).toMatch(/^regular +twin .* wait: .*\bsample\b/m);
    stop(train);
    const report = await train.promote("--apply");

    expect(report).toMatch(/^(left|open|unchanged) +regular\/sample 1\.1\.0 .*: ./m);
    expect(report).toMatch(/^opened +regular\/twin 1\.1\.0 /m);
  });

  it("is kept while checks run", async () => {
    const train = await twinTrain();
    await train.promote("--apply");
    train.double.setCheck("promote/regular/sample", "check", "pending");

    expect(await train.promote("--apply")).toMatch(/^regular +twin .* wait: /m);
    train.double.setCheck("promote/regular/sample", "check", "green");
    expect(await train.promote("--apply")).toMatch(/^merged +regular\/sample 1\.1\.0/m);
    train.clone.git("pull", "--quiet");
    expect(await train.promote("--apply")).toMatch(/^regular +twin .* wait: .*\b1 moved since /m);
  });

  it("is not kept by a proposal that nobody merged until the next run, without a forge", async () => {
    const site = twinsWith("{ perWindow: 1 }");
    await kymaIn(site.path, ["promote", "--apply"]);
    const { stdout } = await kymaIn(site.path, ["promote", "--apply"]);

    expect(stdout).toMatch(/^opened +regular\/twin 1\.1\.0 /m);
  });

  it("is not kept by a promotion that the gate refuses, or of which a review is missing", async () => {
    const refused = twinsWith("{ perWindow: 1 }");
    const manifest = manifestText("1.1.0").replaceAll("example.com/prod", "example.com/test");
    merge(refused, { [manifestPath("1.1.0")]: manifest }, 0);
    expect((await kymaIn(refused.path, ["promote", "--apply"])).stdout).toMatch(
      /^refused +regular\/sample 1\.1\.0 [^]*^opened +regular\/twin 1\.1\.0 /m,
    );
    const reviewed = twinsWith("{ perWindow: 1 }");
    configure(reviewed, { origin: bareRepository() });
    merge(reviewed, { [MODULE]: `${MODULE_TEXT}policy: { regular: { merge: review } }\n` }, 0);
    reviewed.git("push", "--quiet", "--set-upstream", "origin", "main");
    expect((await kymaIn(reviewed.path, ["promote", "--apply", "--direct"])).stdout).toMatch(
      /^left +regular\/sample 1\.1\.0 [^]*^merged +regular\/twin 1\.1\.0 /m,
    );
  });
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
