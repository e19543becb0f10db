import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { TEAMS_PATH } from "../../src/catalogue/codeowners.ts";
import { edit, FAST, HOLDS, MODULE, SETTINGS } from "../../src/check/example.ts";
import { root } from "../house/clone.ts";
import { forgetIdentity } from "./promoting.ts";
import {
  approvalOf,
  BAD,
  commitOn,
  dispatch,
  goodBump,
  judge,
  passesSmoke,
  pathsOf,
  queue,
  removeCatalogue,
  report,
  sample,
} from "./submitting.ts";
import { long } from "../support/long.ts";

afterAll(removeCatalogue);

const BAD_LINE = sample(FAST).split("\n").indexOf("  name: sample-fast") + 1;

beforeEach(forgetIdentity);

describe("the submission workflow, by the commands of .github/workflows/submission.yaml", () => {
  long("passes a good bump of its owner", async () => {
    const { passed, log, summary } = await judge(goodBump());

    expect(log["check"]).not.toContain("::error");
    expect(passed).toBe(true);
    expect(summary).toMatch(/^ {4}No errors|^ {4}1 note/m);
  });

  it("refuses a bad bump on its line, and ignores the program, owners and teams of the head", async () => {
    const base = commitOn("main", { [TEAMS_PATH]: '"@sample/release-managers": [boss]\n' });
    const head = commitOn(base, {
      ...BAD,
      "src/cli/kyma-modules.js": "process.exit(0);\n",
      "src/cli/main.ts": "process.exit(0);\n",
      ".ci/approvals.js": 'process.stdout.write("approved-by=boss\\n");\n',
      "package.json": '{ "name": "kyma-modules", "bin": "true.js", "scripts": { "preinstall": "exit 1" } }\n',
      [TEAMS_PATH]: '"@sample/release-managers": [stranger]\n',
      [SETTINGS]: edit(sample(SETTINGS), "@sample/release-managers", "stranger"),
      [MODULE]: edit(sample(MODULE), "@sample/team", "stranger"),
    });
    const reviews = approvalOf(head, "stranger");
    const { passed, log, summary } = await judge({ base, head, author: "stranger", reviews });

    expect(log["check"]).toContain(`::error file=${FAST},line=${BAD_LINE},col=9,title=place-name::`);
    expect(log["check"]).toMatch(/::error file=.github\/teams.yaml,.*title=ownership-author::/);
    expect(passed).toBe(false);
    expect(summary).toContain(`    ${FAST}\n`);
    expect(summary).toContain("[place-name]");
  });
});

describe("the submission workflow, for a branch that is named like a proposal", () => {
  it("refuses files that the proposal may not change, wherever they are", async () => {
    const pull = goodBump();
    const head = commitOn(pull.head, { "src/evil.ts": "steal();\n", "channels/regular.yaml": "format: 1\n" });
    const { passed, log } = await judge({ ...pull, head, branch: "promote/fast/sample" });

    expect(passed).toBe(false);
    expect(log["check"]).toMatch(/::error file=src\/evil\.ts,.*title=ownership-proposal::.*promote\/fast\/sample/);
    expect(log["check"]).toMatch(/::error file=channels\/regular\.yaml,.*title=ownership-proposal::/);
    expect(log["check"]).not.toMatch(/file=channels\/fast\/sample\.yaml,.*title=ownership-proposal::/);
  });
});

describe("the submission workflow, run again for a pull request", () => {
  long("checks it on its base branch as it is now, with the hold that was merged meanwhile", async () => {
    const pull = goodBump();
    const hold = "{ version: 1.2.0, channel: fast, reason: it loses messages, by: boss, since: 2026-11-20T00:00:00Z }";
    const base = commitOn(pull.base, { [HOLDS]: `format: 1\nholds:\n  - ${hold}\n` });
    const { passed, log } = await judge({ ...pull, base });

    expect(log["check"]).toMatch(/title=channel-held::.*it loses messages/);
    expect(passed).toBe(false);
  });
});

describe("the submission workflow, started for a pull request that a workflow opened", () => {
  it("reports nothing for a commit that is not the head of that pull request", async () => {
    const pull = goodBump();
    const { passed, log } = await dispatch(pull, pull.base);

    expect(log["find the pull request of this run"]).toContain(
      `::error::#7 is at ${pull.head}, and this was started on ${pull.base}.`,
    );
    expect(log["check"]).toBeUndefined();
    expect(passed).toBe(false);
  });

  it("reports the result of such a run as a status of the head, and nothing of other runs", async () => {
    const state = async (check: Parameters<typeof report>[0], event?: string): Promise<unknown> =>
      (await report(check, event)).filter((arg) => /^state=|\/statuses\//.test(arg));
    const outputs = { head: "a".repeat(40) };

    expect(await state({ passed: true, outputs })).toEqual([
      `repos/org/catalogue/statuses/${outputs.head}`,
      "state=success",
    ]);
    expect(await state({ passed: false, outputs })).toContain("state=failure");
    expect(await report({ passed: false, outputs: {} })).toEqual([]);
    expect(await report({ passed: true, outputs }, "pull_request")).toEqual([]);
  });

  it("accepts only the number of a pull request", async () => {
    const pull = goodBump();
    const saying = async (input: string): Promise<unknown> => {
      const { passed, log } = await dispatch(pull, pull.head, input);
      return passed || "check" in log || log["find the pull request of this run"];
    };

    expect(await saying("8")).toContain("Not Found");
    for (const input of ["7/reviews", "$(touch hacked)", "", "07"])
      expect(await saying(input)).toContain("is to be the number of a pull request");
  });
});

describe("the submission workflow, for a merge queue", () => {
  it("fails if the queue's branch names no pull request", async () => {
    const pull = goodBump();
    const { passed, log } = await queue(pull, pull, "refs/heads/main");

    expect(passed).toBe(false);
    expect(log["find the pull request in the queue"]).toContain("names no pull request");
  });
});

describe("the smoke test of a submission", () => {
  long("runs each path of the change in its own job, and none without a changed version", async () => {
    const pull = goodBump();
    const none = await pathsOf({ ...pull, head: commitOn(pull.base, { "docs/other.md": "text\n" }) });

    expect(await pathsOf(pull)).toBe('["sample@1.2.0","sample@1.1.0..1.2.0","sample@1.0.0..1.2.0"]');
    expect(none).toBe("[]");
    expect(await pathsOf(pull, "merge_group")).toBe("");
  });

  it.each([
    ["success", '["sample@1.2.0"]', "success", true],
    ["success", '["sample@1.2.0"]', "failure", false],
    ["success", '["sample@1.2.0"]', "cancelled", false],
    ["success", '["sample@1.2.0"]', "skipped", false],
    ["success", "[]", "skipped", true],
    ["failure", "", "skipped", false],
  ])("passes if the paths were found (%s: %s), and all passed (%s): %s", async (found, paths, result, passes) => {
    expect(await passesSmoke(found, paths, result)).toBe(passes);
  });
});

it("the submission workflow refuses a change that disables its rules", async () => {
  const { base } = goodBump();
  const head = commitOn(base, { [FAST]: sample(FAST) });
  const { passed, log } = await judge({ base, head, author: "owner", reviews: [[]] });

  expect(passed).toBe(false);
  expect(log["check"]).toMatch(/title=fact-required::.*\bmanifest of sample 1\.2\.0\b/);
});

describe("the list of approvers of a commit", () => {
  const HEAD = "a".repeat(40);
  const approvals = (...pages: readonly (readonly object[])[]): string => {
    const args = [join(root, ".ci/approvals.js"), HEAD];
    return spawnSync(process.execPath, args, { input: JSON.stringify(pages), encoding: "utf8" }).stdout;
  };
  const review = (login: string, state: string, minute: number, commit = HEAD): object => ({
    user: { login },
    state,
    commit_id: commit,
    submitted_at: `2026-11-21T06:0${minute}:00Z`,
  });

  it("is empty without reviews", () => {
    expect(approvals([])).toBe("approved-by=\n");
  });

  it("includes every page of reviews", () => {
    expect(approvals([review("zoe", "APPROVED", 1)], [review("anna", "APPROVED", 2)])).toBe("approved-by=anna,zoe\n");
  });

  it.each([
    ["took it back", [review("anna", "APPROVED", 1), review("anna", "CHANGES_REQUESTED", 2)], ""],
    ["was dismissed", [review("anna", "DISMISSED", 1)], ""],
    ["approved an earlier commit", [review("anna", "APPROVED", 1, "b".repeat(40))], ""],
    ["only commented afterwards", [review("anna", "APPROVED", 1), review("anna", "COMMENTED", 2)], "anna"],
    ["came round", [review("anna", "APPROVED", 2), review("anna", "CHANGES_REQUESTED", 1)], "anna"],
    ["left the forge", [{ ...review("anna", "APPROVED", 1), user: null }], ""],
  ])("is right for a reviewer who %s", (_, reviews, expected) => {
    expect(approvals(reviews)).toBe(`approved-by=${expected}\n`);
  });
});

it("the workflow pins the same actions as ci.yaml", () => {
  const actions = (name: string): readonly string[] =>
    readFileSync(join(root, ".github/workflows", name), "utf8").match(/actions\/\S+@[0-9a-f]{40}/g) ?? [];

  for (const action of actions("submission.yaml")) expect(actions("ci.yaml")).toContain(action);
});
