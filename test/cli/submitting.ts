import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BUMP, CODEOWNERS, edit, FAST, MODULE, SAMPLE } from "../../src/check/example.ts";
import { root, temporaryFolder } from "../house/clone.ts";
import { folderAt, type Content, type Folder } from "../systems/repository.ts";
import { runJob, type WorkflowRun } from "./workflowJob.ts";

const PROGRAM = ["src", "schemas", ".ci", "package.json", "package-lock.json"];

/** Puts the program into a repository, as every catalogue of this shape has it. */
export function addProgram(repository: Folder): void {
  for (const name of PROGRAM) cpSync(join(root, name), join(repository.path, name), { recursive: true });
}

/** A file of the sample catalogue, or of its bump. */
export function sample(path: string): string {
  const content = { ...SAMPLE, ...BUMP }[path];
  if (typeof content !== "string") throw new Error(`the sample has no ${path}`);
  return content;
}

/** A pull request. */
export interface Submission {
  /** The commit of its base branch, and its own one. */
  readonly base: string;
  readonly head: string;
  readonly author: string;
  /** What the forge answers when it is asked for reviews: pages of them. */
  readonly reviews: readonly (readonly object[])[];
  /** The head branch; `feature` by default. */
  readonly branch?: string;
}

let made: Folder | undefined;

/** Removes the catalogue: for the end of a test file, since the next one may share the process. */
export function removeCatalogue(): void {
  if (made !== undefined) rmSync(made.path, { recursive: true, force: true });
  made = undefined;
}

/**
 * The sample catalogue with the program in it, made once for all tests of a file. A module's owner is a person, and who
 * the release managers are stands in no file.
 */
export function catalogue(): Folder {
  if (made !== undefined) return made;
  made = folderAt(temporaryFolder());
  made.git("init", "--quiet", "--initial-branch=main");
  for (const [key, value] of [
    ["core.compression", "0"],
    ["user.name", "Person"],
    ["user.email", "person@example.com"],
  ] as const)
    made.git("config", key, value);
  addProgram(made);
  made.write({ ...SAMPLE, [MODULE]: edit(sample(MODULE), "@sample/team", "owner") });
  made.write({ [CODEOWNERS]: sample(CODEOWNERS).replaceAll("@sample/team", "@owner") });
  made.commit("base");
  return made;
}

/** Commits a change of the catalogue, or of a commit that is based on it; gives the commit. */
export function commitOn(start: string, change: Readonly<Record<string, Content>>): string {
  const repository = catalogue();
  repository.git("switch", "--quiet", "--detach", start);
  repository.write(change);
  return repository.commit();
}

/** Approves a commit. */
export function approvalOf(commit: string, login: string): Submission["reviews"] {
  const [state, at] = ["APPROVED", "2026-11-21T06:00:00Z"];
  return [[{ user: { login }, state, commit_id: commit, submitted_at: at }]];
}

/** The files of a bump that the gate refuses. */
export const BAD: Readonly<Record<string, Content>> = {
  ...BUMP,
  [FAST]: edit(sample(FAST), "name: sample-fast", "name: sample-fest"),
};

/** A bump that the gate accepts, by the owner of the module. */
export function goodBump(): Submission {
  const base = catalogue().git("rev-parse", "main");
  return { base, head: commitOn(base, BUMP), author: "owner", reviews: [[]] };
}

/** Number of the pull request. */
const NUMBER = "7";
/** Its base branch. */
const BRANCH = "release-1";

/** Its head branch. */
const HEAD_BRANCH = "feature";

/** Moves the base branch to a commit. */
function moveBase(commit: string): void {
  catalogue().git("branch", "--force", BRANCH, commit);
}

/** Runs the workflow for an event of the pull request; `more` is what else the event says. */
export function judge(
  { base, head, author, reviews, branch = HEAD_BRANCH }: Submission,
  more: Readonly<Record<string, string>> = {},
): Promise<WorkflowRun> {
  moveBase(base);
  return runSubmission(
    { reviews },
    {
      "github.event_name": "pull_request",
      "github.event.pull_request.base.ref": BRANCH,
      "github.event.pull_request.head.ref": branch,
      "github.event.pull_request.head.sha": head,
      "github.event.pull_request.number": NUMBER,
      "github.event.pull_request.user.login": author,
      ...more,
    },
  );
}

/** Runs the workflow as it is dispatched on the branch that `started` is the commit of, with this input. */
export function dispatch(
  { base, head, author, reviews, branch = HEAD_BRANCH }: Submission,
  started: string,
  number: string = NUMBER,
): Promise<WorkflowRun> {
  moveBase(base);
  const pull = { base: { ref: BRANCH }, head: { sha: head, ref: branch }, user: { login: author } };
  const contexts = { "github.event_name": "workflow_dispatch", "inputs.pull-request": number };
  return runSubmission({ reviews, pull, started }, contexts);
}

/** Runs the workflow for a merge queue, in which the pull request stands on another base. */
export function queue(
  { head, author, reviews, branch = HEAD_BRANCH }: Submission,
  group: { readonly base: string; readonly head: string },
  ref = `refs/heads/gh-readonly-queue/main/pr-${NUMBER}-${group.base}`,
): Promise<WorkflowRun> {
  const pull = { head: { sha: head, ref: branch }, user: { login: author } };
  const contexts = {
    "github.event_name": "merge_group",
    "github.event.action": "checks_requested",
    "github.event.merge_group.base_sha": group.base,
    "github.event.merge_group.head_sha": group.head,
    "github.event.merge_group.head_ref": ref,
  };
  return runSubmission({ reviews, pull }, contexts);
}

/** What the forge is told once a run that was dispatched has ended so: the arguments of `gh api`. */
export async function report(
  check: Pick<WorkflowRun, "passed" | "outputs">,
  event = "workflow_dispatch",
): Promise<readonly string[]> {
  const { log } = await runJob("submission.yaml", "report", {
    remote: catalogue().path,
    contexts: {
      "github.token": "none",
      "github.event_name": event,
      "needs.check.outputs.head": check.outputs["head"] ?? "",
      "needs.check.result": check.passed ? "success" : "failure",
    },
    variables: {
      GITHUB_REPOSITORY: "org/catalogue",
      GITHUB_SERVER_URL: "https://github.example.com",
      GITHUB_RUN_ID: "5",
    },
    programs: { gh: '#!/bin/sh\n[ "$GH_HOST" = github.example.com ] && printf "%s\\n" "$@"\n' },
  });
  return Object.values(log).flatMap((text) => text.trimEnd().split("\n"));
}

/** The paths that the workflow tries for an event of the pull request, a job each. */
export async function pathsOf({ base, head }: Submission, event = "pull_request"): Promise<string | undefined> {
  moveBase(base);
  const { outputs } = await runJob("submission.yaml", "paths", {
    remote: catalogue().path,
    contexts: {
      "github.event_name": event,
      "github.event.action": "synchronize",
      "github.event.pull_request.base.ref": BRANCH,
      "github.event.pull_request.head.sha": head,
    },
  });
  return outputs["paths"];
}

/** Whether the check `smoke` passes, given what became of the jobs before it. */
export async function passesSmoke(found: string, paths: string | undefined, passed: string): Promise<boolean> {
  const contexts = {
    "needs.paths.result": found,
    "needs.paths.outputs.paths": paths ?? "",
    "needs.path.result": passed,
  };
  return (await runJob("submission.yaml", "smoke", { remote: catalogue().path, contexts })).passed;
}

interface Started extends Pick<Submission, "reviews"> {
  /** What the forge answers when it is asked for the pull request. */
  readonly pull?: object;
  readonly started?: string;
}

function runSubmission(
  { reviews, pull, started = "" }: Started,
  contexts: Readonly<Record<string, string>>,
): Promise<WorkflowRun> {
  const at = `repos/org/catalogue/pulls/${NUMBER}`;
  return runJob("submission.yaml", "check", {
    remote: catalogue().path,
    contexts: { "github.token": "none", ...contexts },
    variables: {
      GITHUB_REPOSITORY: "org/catalogue",
      GITHUB_SERVER_URL: "https://github.example.com",
      GITHUB_SHA: started,
    },
    programs: { gh: githubProgram({ [`${at}/reviews`]: reviews, ...(pull && { [at]: pull }) }) },
    // The registry does not have the sample's module.
    adapt: (command) => command.replace("kyma-modules check", "kyma-modules check --offline"),
  });
}

/** `gh api PATH` at a host of our own, which knows these answers, and of `--jq` the fields that are named with commas between. */
function githubProgram(answers: Readonly<Record<string, unknown>>): string {
  return `#!${process.execPath}
const answers = ${JSON.stringify(answers)};
const args = process.argv.slice(2);
const { GH_HOST, GH_ENTERPRISE_TOKEN } = process.env;
const isAsked = GH_HOST === "github.example.com" && GH_ENTERPRISE_TOKEN === "none";
const answer = isAsked ? answers[args.find((arg) => arg.startsWith("repos/"))] : undefined;
if (answer === undefined) {
  console.error("gh: Not Found (HTTP 404)");
  process.exit(1);
}
const query = args.includes("--jq") ? args[args.indexOf("--jq") + 1] : undefined;
const read = (path) => path.split(".").slice(1).reduce((value, key) => value[key], answer);
console.log(query === undefined ? JSON.stringify(answer) : query.split(", ").map(read).join("\\n"));
`;
}
