import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BUMP, edit, FAST, MODULE, SETTINGS } from "../../src/check/example.ts";
import { root } from "../house/clone.ts";
import type { Content } from "../systems/repository.ts";
import { dispatch, judge, openSubmission, sample, type Submission } from "./submitting.ts";
import type { WorkflowRun } from "./workflowJob.ts";

/** What the workflow says of a pull request with this change. */
function submit(
  change: Readonly<Record<string, Content>>,
  author = "owner",
  reviews: (head: string) => Submission["reviews"] = () => [[]],
): Promise<WorkflowRun> {
  return judge(openSubmission(change, author, reviews));
}

/** The owner approves a commit. */
function approvalOf(commit: string): Submission["reviews"] {
  const [state, at] = ["APPROVED", "2026-11-21T06:00:00Z"];
  return [[{ user: { login: "owner" }, state, commit_id: commit, submitted_at: at }]];
}

/** A machine that does much else takes its time to copy the program and to start it. */
const SLOW = { timeout: 120_000 };

const BAD = { ...BUMP, [FAST]: edit(sample(FAST), "name: sample-fast", "name: sample-fest") };
const BAD_LINE = sample(FAST).split("\n").indexOf("  name: sample-fast") + 1;
const COMPLAINT = `::error file=${FAST},line=${BAD_LINE},col=9,title=place-name::`;

describe("the submission workflow, by the commands of .github/workflows/submission.yaml", SLOW, () => {
  it("passes a good bump", async () => {
    const { passed, log, summary } = await submit(BUMP);

    expect(log["check"]).not.toContain("::error");
    expect(passed).toBe(true);
    expect(summary).toMatch(/^ {4}No errors|^ {4}1 note/m);
  });

  it("fails a bad one, with an annotation on the offending line, and shows the report", async () => {
    const { passed, log, summary } = await submit(BAD);

    expect(log["check"]).toContain(COMPLAINT);
    expect(passed).toBe(false);
    expect(summary).toContain(`    ${FAST}\n`);
    expect(summary).toContain("[place-name]");
  });

  it("runs none of the head's program, and believes none of the head's owners", async () => {
    const { passed, log } = await submit(
      {
        ...BAD,
        "src/cli/kyma-modules.js": "process.exit(0);\n",
        "src/cli/main.ts": "process.exit(0);\n",
        ".ci/approvals.js": 'process.stdout.write("approved-by=boss\\n");\n',
        "package.json": '{ "name": "kyma-modules", "bin": "true.js", "scripts": { "preinstall": "exit 1" } }\n',
        [SETTINGS]: edit(sample(SETTINGS), "@sample/release-managers", "stranger"),
        [MODULE]: edit(sample(MODULE), "@sample/team", "stranger"),
      },
      "stranger",
    );

    expect(log["check"]).toContain(COMPLAINT);
    expect(log["check"]).toContain("title=ownership-author::");
    expect(passed).toBe(false);
  });

  it("counts an approval of the head commit", async () => {
    expect((await submit(BUMP, "stranger", approvalOf)).passed).toBe(true);
  });

  it("counts no approval of an earlier commit", async () => {
    expect((await submit(BUMP, "stranger", () => approvalOf("0".repeat(40)))).passed).toBe(false);
  });
});

describe("the submission workflow, started for a pull request that a workflow opened", SLOW, () => {
  const nobody = (): Submission["reviews"] => [[]];
  const robot = "github-actions[bot]";

  it("judges it as any other: on the offending line, and by its author", async () => {
    const bad = openSubmission(BAD, robot, nobody);
    const { passed, log, summary } = await dispatch(bad, bad.head);

    expect(log["check"]).toContain(COMPLAINT);
    expect(log["check"]).toContain("title=ownership-author::");
    expect(summary).toContain("[place-name]");
    expect(passed).toBe(false);
  });

  it("passes it once an owner approved its head commit", async () => {
    const approved = openSubmission(BUMP, robot, approvalOf);
    const { passed, log } = await dispatch(approved, approved.head);

    expect(log["check"]).not.toContain("::error");
    expect(passed).toBe(true);
  });

  it("says nothing for a commit that is not the head of that pull request", async () => {
    const good = openSubmission(BUMP, "owner", nobody);
    const { passed, log } = await dispatch(good, good.base);

    expect(log["find the pull request that this was started for"]).toContain(
      `::error::#7 is at ${good.head}, and this was started on ${good.base}.`,
    );
    expect(log["check"]).toBeUndefined();
    expect(passed).toBe(false);
  });

  it("takes nothing else for the number of a pull request", async () => {
    const good = openSubmission(BUMP, "owner", nobody);
    const saying = async (input: string): Promise<unknown> => {
      const { passed, log } = await dispatch(good, good.head, input);
      return passed || "check" in log || log["find the pull request that this was started for"];
    };

    expect(await saying("8")).toContain("Not Found");
    for (const input of ["7/reviews", "$(touch hacked)", "", "07"])
      expect(await saying(input)).toContain("is to be the number of a pull request");
  });
});

describe("who approves a commit", () => {
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

  it("is nobody without reviews", () => {
    expect(approvals([])).toBe("approved-by=\n");
  });

  it("is found on every page of reviews", () => {
    expect(approvals([review("zoe", "APPROVED", 1)], [review("anna", "APPROVED", 2)])).toBe("approved-by=anna,zoe\n");
  });

  it.each([
    ["took it back", [review("anna", "APPROVED", 1), review("anna", "CHANGES_REQUESTED", 2)], ""],
    ["was dismissed", [review("anna", "DISMISSED", 1)], ""],
    ["approved an earlier commit", [review("anna", "APPROVED", 1, "b".repeat(40))], ""],
    ["only commented afterwards", [review("anna", "APPROVED", 1), review("anna", "COMMENTED", 2)], "anna"],
    ["came round", [review("anna", "APPROVED", 2), review("anna", "CHANGES_REQUESTED", 1)], "anna"],
    ["left the forge", [{ ...review("anna", "APPROVED", 1), user: null }], ""],
  ])("counts who %s as it should", (_, reviews, expected) => {
    expect(approvals(reviews)).toBe(`approved-by=${expected}\n`);
  });
});

it("the workflow pins the very actions that ci.yaml pins", () => {
  const actions = (name: string): readonly string[] =>
    readFileSync(join(root, ".github/workflows", name), "utf8").match(/actions\/\S+@[0-9a-f]{40}/g) ?? [];

  for (const action of actions("submission.yaml")) expect(actions("ci.yaml")).toContain(action);
});
