import { cpSync } from "node:fs";
import { join } from "node:path";
import { BUMP, CODEOWNERS, edit, MODULE, SAMPLE, SETTINGS } from "../../src/check/example.ts";
import { root } from "../house/clone.ts";
import { emptyRepository, type Content, type Folder } from "../systems/repository.ts";
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

/** A pull request, and the repository of both its commits. */
export interface Submission {
  readonly path: string;
  readonly base: string;
  readonly head: string;
  readonly author: string;
  /** What the forge answers when it is asked for reviews: pages of them. */
  readonly reviews: readonly (readonly object[])[];
}

/** A pull request with this change; owners are people, since no forge lists teams here. */
export function openSubmission(
  change: Readonly<Record<string, Content>>,
  author: string,
  reviews: (head: string) => Submission["reviews"],
): Submission {
  const repository = emptyRepository();
  addProgram(repository);
  repository.write(SAMPLE);
  const named = sample(CODEOWNERS).replaceAll("@sample/release-managers", "@boss").replaceAll("@sample/team", "@owner");
  repository.write({
    [SETTINGS]: edit(sample(SETTINGS), "@sample/release-managers", "boss"),
    [MODULE]: edit(sample(MODULE), "@sample/team", "owner"),
    [CODEOWNERS]: named,
  });
  const base = repository.commit("base");
  repository.git("switch", "--quiet", "--create", "bump");
  repository.write(change);
  const head = repository.commit("bump");
  repository.git("switch", "--quiet", "main");
  return { path: repository.path, base, head, author, reviews: reviews(head) };
}

/** Number of the pull request. */
const NUMBER = "7";

/** Runs the workflow for an event of the pull request. */
export function judge({ base, head, author, ...submission }: Submission): Promise<WorkflowRun> {
  return runSubmission(submission, {
    "github.event_name": "pull_request",
    "github.event.pull_request.base.sha": base,
    "github.event.pull_request.head.sha": head,
    "github.event.pull_request.number": NUMBER,
    "github.event.pull_request.user.login": author,
  });
}

/** Runs the workflow as it is dispatched on the branch that `started` is the commit of, with this input. */
export function dispatch(submission: Submission, started: string, number: string = NUMBER): Promise<WorkflowRun> {
  const { base, head, author } = submission;
  const pull = { base: { sha: base }, head: { sha: head }, user: { login: author } };
  const contexts = { "github.event_name": "workflow_dispatch", "inputs.pull-request": number };
  return runSubmission({ ...submission, pull, started }, contexts);
}

interface Started extends Pick<Submission, "path" | "reviews"> {
  /** What the forge answers when it is asked for the pull request. */
  readonly pull?: object;
  readonly started?: string;
}

function runSubmission(
  { path, reviews, pull, started = "" }: Started,
  contexts: Readonly<Record<string, string>>,
): Promise<WorkflowRun> {
  const at = `repos/org/catalogue/pulls/${NUMBER}`;
  return runJob("submission.yaml", "check", {
    remote: path,
    contexts: { "github.token": "none", ...contexts },
    variables: { GITHUB_REPOSITORY: "org/catalogue", GITHUB_SHA: started },
    programs: { gh: githubProgram({ [`${at}/reviews`]: reviews, ...(pull && { [at]: pull }) }) },
    // The registry does not have the sample's module.
    adapt: (command) => command.replace("kyma-modules check", "kyma-modules check --offline"),
  });
}

/** `gh api PATH`, which knows these answers, and of `--jq` the fields that are named with commas between. */
function githubProgram(answers: Readonly<Record<string, unknown>>): string {
  return `#!${process.execPath}
const answers = ${JSON.stringify(answers)};
const args = process.argv.slice(2);
const answer = answers[args.find((arg) => arg.startsWith("repos/"))];
if (answer === undefined) {
  console.error("gh: Not Found (HTTP 404)");
  process.exit(1);
}
const query = args.includes("--jq") ? args[args.indexOf("--jq") + 1] : undefined;
const read = (path) => path.split(".").slice(1).reduce((value, key) => value[key], answer);
console.log(query === undefined ? JSON.stringify(answer) : query.split(", ").map(read).join("\\n"));
`;
}
