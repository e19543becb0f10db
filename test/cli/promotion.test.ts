import { describe, expect, it } from "vitest";
import {
  FAST,
  manifestPath,
  manifestText,
  REGULAR,
  REGULAR_POLICY,
  SETTINGS,
  SETTINGS_TEXT,
  templateText,
} from "../../src/check/example.ts";
import { instantOf, POLICY } from "./promoting.ts";
import { looseFile, openTrain, REPOSITORY, type Train } from "./train.ts";
import { long } from "../support/long.ts";

const DAY_MS = 86_400_000;

/** Fast gets a version, `daysAgo`; gives the number of its pull request. */
function submit(train: Train, version: string, daysAgo: number): number {
  const files = { [FAST]: templateText("fast", version), [manifestPath(version)]: manifestText(version) };
  return train.merge(files, daysAgo);
}

/** The number of the open pull request from a branch. */
function pullFrom(train: Train, branch: string): number {
  const pull = train.double.pulls().find(({ head, state }) => head === branch && state === "open");
  if (pull === undefined) throw new Error(`no open ${branch}`);
  return pull.number;
}

async function waitsUntil(train: Train): Promise<number> {
  return Date.parse(/wait until (\S+)/.exec(await train.promote())?.[1] ?? "");
}

const reason = ["--reason", "drops connections"];

describe("a promotion on GitHub", () => {
  it("waits until an exact instant, then opens one pull request and does not change it", async () => {
    const train = await openTrain();
    const submission = submit(train, "1.1.0", 0);
    const until = await waitsUntil(train);

    expect(until).toBe(Math.floor((train.double.pulls()[0]?.mergedAtMs ?? 0) / 1000) * 1000 + 7 * DAY_MS);
    expect(await train.promote("--at", new Date(until).toISOString())).toContain("promote now");
    expect(await train.promote("--at", new Date(until - 1000).toISOString())).toContain("wait until");

    train.double.setMergedAt(submission, Date.now() - 8 * DAY_MS);
    for (const done of ["opened", "unchanged"]) {
      const stdout = expect.stringMatching(new RegExp(`${done} +regular/sample 1\\.1\\.0`)) as string;
      expect(await train.kyma(["promote", "--apply"])).toEqual({ code: 0, stdout, stderr: "" });
    }
    expect(train.promotions()).toEqual(["2 open Promote sample 1.1.0 to regular"]);
  });

  it("is updated in place, closed by a hold, reopened, and overtaken by a hot-fix, which it does not undo", async () => {
    const train = await openTrain();
    submit(train, "1.1.0", 9);
    await train.promote("--apply");
    submit(train, "1.1.1", 8.5);

    expect(await train.promote("--apply")).toMatch(/updated +regular\/sample 1\.1\.1/);
    expect(train.promotions()).toEqual(["2 open Promote sample 1.1.1 to regular"]);

    const held = await train.kyma(["hold", "sample@1.1.1", ...reason]);
    expect(held.stdout).toMatch(/proposed: .*\nclosed: /);
    expect(train.promotions()).toEqual(["2 closed Promote sample 1.1.1 to regular"]);
    expect(await train.promote("--apply")).toMatch(/blocked: .*\bhold .*1\.1\.1 .*\/pull\/4\b/);
    train.mergePull(pullFrom(train, "hold/every-channel/sample-1.1.1"));
    expect(await train.promote("--apply")).toContain("octocat holds 1.1.1 since");
    expect(train.promotions()).toEqual(["2 closed Promote sample 1.1.1 to regular"]);

    await train.kyma(["unhold", "sample@1.1.1", ...reason]);
    train.mergePull(pullFrom(train, "unhold/every-channel/sample-1.1.1"));
    expect(await train.promote("--apply")).toMatch(/opened +regular\/sample 1\.1\.1/);
    expect(train.promotions()).toEqual(["2 open Promote sample 1.1.1 to regular"]);

    const template = looseFile("template.yaml", templateText("regular", "1.0.1").replace("  channel: regular\n", ""));
    const fix = ["--hotfix", "sample@1.0.1", "--incident", "https://example.com/7", "--template", template];
    expect(await train.promote(...fix, "--apply")).toMatch(/updated +regular\/sample 1\.0\.1/);
    expect(await train.promote("--apply")).toMatch(/left +regular\/sample 1\.1\.1 .*\/pull\/2: .*\bhot-fix\b/);
    expect(train.promotions()).toEqual(["2 open Hot-fix sample 1.0.1 to regular"]);
    train.mergePull(2);

    expect(await train.promote("--apply")).toMatch(
      /1\.0\.1 +1\.1\.1 +minor +blocked: fast .*1\.1\.1 .*hot-fix 1\.0\.1\b/,
    );
    expect(train.promotions()).toEqual(["2 closed Hot-fix sample 1.0.1 to regular"]);
  });

  it("does not come back after a manual decrease", async () => {
    const train = await openTrain();
    submit(train, "1.1.0", 9);
    await train.promote("--apply");
    train.mergePull(2);
    train.merge({ [REGULAR]: templateText("regular", "1.0.0") }, 0);

    expect(await train.promote("--apply")).toMatch(/1\.0\.0 +1\.1\.0 +minor +blocked: regular .*1\.1\.0 .*1\.0\.0\b/);
    expect(train.promotions()).toEqual(["2 closed Promote sample 1.1.0 to regular"]);
  });

  it("is merged by the program itself, once all checks are green", async () => {
    const train = await openTrain({ settings: { checks: "pending", checkNames: ["check"] } });
    submit(train, "1.1.0", 9);

    expect(await train.promote("--apply")).toMatch(/opened .*waits: /);
    train.double.setCheck("promote/regular/sample", "check", "green");
    expect(await train.promote("--apply")).toMatch(/merged +regular\/sample 1\.1\.0/);
    train.clone.git("pull", "--quiet");

    const message = train.clone.git("log", "-1", "--format=%B");
    expect(message).toMatch(/Promotes: sample@1\.1\.0\nFrom-Channel: fast\nTo-Channel: regular\n/);
    expect(train.clone.git("show", "--stat", "--format=", "HEAD")).toMatch(/^ ?channels\/regular\/sample\.yaml /);
    expect(await train.promote("--apply")).toContain("nothing to do");
  });

  it("is not merged with checks of an older base if the gate refuses it on the current one", async () => {
    const train = await openTrain({ settings: { checks: "green", checkNames: ["check"] } });
    submit(train, "1.1.0", 9);
    await train.promote("--apply");
    const stricter = SETTINGS_TEXT.replace("prod/**", "other/**");
    train.merge({ [SETTINGS]: `${stricter}forge: { kind: github, repository: ${REPOSITORY} }\n` }, 0);

    expect(await train.kyma(["promote", "--apply"])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^refused +regular\/sample 1\.1\.0 .*\/pull\/2: .*\bgate\b.*\n.*\[image-/m,
      ) as string,
    });
    expect(train.promotions()).toEqual(["2 open Promote sample 1.1.0 to regular"]);
  });

  long("leaves the merge queue while a freeze closes the calendar, and enters it again later", async () => {
    const train = await openTrain({ settings: { checks: "green", checkNames: ["check"] } });
    const policy = (promotion: string): void => {
      train.double.protect("main", undefined);
      train.merge({ [REGULAR_POLICY]: `${POLICY}${promotion}` }, 0);
      train.double.protect("main", { writes: "pulls", checks: ["check"], hasQueue: true });
    };
    submit(train, "1.1.0", 9);
    policy("");
    await train.promote("--apply");
    expect(await train.promote("--apply")).toMatch(/unchanged +regular\/sample .* it entered the merge queue/);
    policy(`  freezes: [{ from: ${instantOf(1)}, until: ${instantOf(-1)}, reason: year-end }]\n`);

    expect(await train.promote("--apply")).toMatch(/^closed +regular\/sample 1\.1\.0 .*\byear-end\b/m);
    expect(train.double.state().queue).toEqual([]);
    expect(await train.promote("--apply")).not.toMatch(/^(?:closed|left|opened) /m);
    policy("");
    expect(await train.promote("--apply")).toMatch(/^opened +regular\/sample 1\.1\.0 /m);
    expect(await train.promote("--apply")).toMatch(/it entered the merge queue, position 1/);
  });
});
