import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BUMP, CODEOWNERS, edit, FAST, MODULE, SAMPLE, SETTINGS } from "../../src/check/example.ts";
import { root } from "../house/clone.ts";
import { emptyRepository, type Content, type Folder } from "../systems/repository.ts";
import { runSubmission, type PullRequest, type WorkflowRun } from "./workflowJob.ts";

const PROGRAM = ["src", "schemas", ".ci", "package.json", "package-lock.json"];

function sample(path: string): string {
  const content = { ...SAMPLE, ...BUMP }[path];
  if (typeof content !== "string") throw new Error(`the sample has no ${path}`);
  return content;
}

/** A forge with the program and the sample catalogue; owners are people, since no forge lists teams here. */
function forge(): Folder & { readonly base: string } {
  const repository = emptyRepository();
  for (const name of PROGRAM) cpSync(join(root, name), join(repository.path, name), { recursive: true });
  repository.write(SAMPLE);
  const named = sample(CODEOWNERS).replaceAll("@sample/release-managers", "@boss").replaceAll("@sample/team", "@owner");
  repository.write({
    [SETTINGS]: edit(sample(SETTINGS), "@sample/release-managers", "boss"),
    [MODULE]: edit(sample(MODULE), "@sample/team", "owner"),
    [CODEOWNERS]: named,
  });
  return { ...repository, base: repository.commit("base") };
}

/** What the workflow says of a pull request with this change. */
function submit(
  change: Readonly<Record<string, Content>>,
  author = "owner",
  reviews: (head: string) => PullRequest["reviews"] = () => [[]],
): WorkflowRun {
  const { base, ...repository } = forge();
  repository.git("switch", "--quiet", "--create", "bump");
  repository.write(change);
  const head = repository.commit("bump");
  repository.git("switch", "--quiet", "main");
  return runSubmission({ forge: repository.path, base, head, author, reviews: reviews(head) });
}

const BAD = { ...BUMP, [FAST]: edit(sample(FAST), "name: sample-fast", "name: sample-fest") };
const BAD_LINE = sample(FAST).split("\n").indexOf("  name: sample-fast") + 1;
const COMPLAINT = `::error file=${FAST},line=${BAD_LINE},col=9,title=place-name::`;

describe("the submission workflow, by the commands of .github/workflows/submission.yaml", () => {
  it("passes a good bump", () => {
    const { passed, log, summary } = submit(BUMP);

    expect(log["check"]).not.toContain("::error");
    expect(passed).toBe(true);
    expect(summary).toMatch(/^ {4}No errors|^ {4}1 note/m);
  });

  it("fails a bad one, with an annotation on the offending line, and shows the report", () => {
    const { passed, log, summary } = submit(BAD);

    expect(log["check"]).toContain(COMPLAINT);
    expect(passed).toBe(false);
    expect(summary).toContain(`    ${FAST}\n`);
    expect(summary).toContain("[place-name]");
  });

  it("runs none of the head's program, and believes none of the head's owners", () => {
    const { passed, log } = submit(
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

  it("counts an approval of the head commit, and none of an earlier one", () => {
    const review = (login: string, commit: string): object => ({
      user: { login },
      state: "APPROVED",
      commit_id: commit,
      submitted_at: "2026-11-21T06:00:00Z",
    });
    const change = BUMP;

    expect(submit(change, "stranger", (head) => [[review("owner", head)]]).passed).toBe(true);
    expect(submit(change, "stranger", () => [[review("owner", "0".repeat(40))]]).passed).toBe(false);
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
