import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { plainEnvironment, root } from "../house/clone.ts";
import { emptyFolder } from "../systems/repository.ts";

/** The pull request that a workflow runs for. */
export interface PullRequest {
  /** Path of the repository that holds both commits. */
  readonly forge: string;
  readonly base: string;
  readonly head: string;
  readonly author: string;
  /** What the forge answers when it is asked for reviews: pages of them. */
  readonly reviews: readonly (readonly object[])[];
}

/** What a run of the workflow left. */
export interface WorkflowRun {
  /** Whether the run is green. */
  readonly passed: boolean;
  /** What each step printed, by its name. */
  readonly log: Readonly<Record<string, string>>;
  /** What stands beside the run, as Markdown. */
  readonly summary: string;
}

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
}

interface Workflow {
  readonly jobs: {
    readonly check: { readonly env: Readonly<Record<string, string>>; readonly steps: readonly Step[] };
  };
}

/**
 * Runs .github/workflows/submission.yaml as GitHub would, each `run` by bash as it stands there. Three things are not
 * as there: `npm ci` is replaced by the packages that are installed here, `gh` by a file of reviews, and `check` does
 * not ask the registry, which the sample's module does not have.
 */
export function runSubmission(pullRequest: PullRequest): WorkflowRun {
  const runner = openRunner(pullRequest);
  const { check } = (parse(readFileSync(join(root, ".github/workflows/submission.yaml"), "utf8")) as Workflow).jobs;
  const log: Record<string, string> = {};
  let passed = true;
  for (const step of check.steps) {
    if (step.uses?.startsWith("actions/checkout@") === true) runner.checkout(step);
    if (step.run === undefined || (!passed && step.if === undefined)) continue;
    const { status, said } = runner.carryOut(step.run, step, { ...check.env, ...step.env });
    log[String(step.name)] = said;
    passed &&= status === 0;
  }
  return { passed, log, summary: runner.summary() };
}

interface Runner {
  readonly checkout: (step: Step) => void;
  readonly carryOut: (
    command: string,
    step: Step,
    env: Readonly<Record<string, string>>,
  ) => { readonly status: number | null; readonly said: string };
  readonly summary: () => string;
}

function openRunner(pullRequest: PullRequest): Runner {
  const workspace = emptyFolder();
  const file = (name: string): string => join(workspace.path, name);
  const plain = plainEnvironment();
  workspace.write({ "reviews.json": JSON.stringify(pullRequest.reviews), output: "", summary: "", "temp/here": "" });
  workspace.write({ "bin/gh": `#!/bin/sh\ncat "${file("reviews.json")}"\n` });
  chmodSync(file("bin/gh"), 0o755);
  const variables = {
    ...plain,
    PATH: `${file("bin")}:${String(plain["PATH"])}`,
    GITHUB_REPOSITORY: "org/catalogue",
    GITHUB_OUTPUT: file("output"),
    GITHUB_STEP_SUMMARY: file("summary"),
    RUNNER_TEMP: file("temp"),
  };
  const value = (text: string): string => evaluate(text, pullRequest, readFileSync(file("output"), "utf8"));
  return {
    checkout: ({ with: { path = "", ref = "" } = {} }) => {
      workspace.git("clone", "--quiet", "--no-checkout", pullRequest.forge, path);
      workspace.git("-C", path, "checkout", "--quiet", "--detach", value(ref));
    },
    carryOut: (command, { "working-directory": folder = "." }, env) => {
      if (command.startsWith("npm ci")) {
        linkPackages(file(folder));
        return { status: 0, said: "" };
      }
      const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, value(text)]));
      const script = command.replace("kyma-modules check", "kyma-modules check --offline");
      const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
      const options = { cwd: file(folder), env: { ...variables, ...own }, encoding: "utf8" } as const;
      const { status, stdout, stderr } = spawnSync("bash", args, options);
      return { status, said: stdout + stderr };
    },
    summary: () => readFileSync(file("summary"), "utf8"),
  };
}

/** Expressions of the workflow. Throws for one that GitHub knows and this does not. */
function evaluate(text: string, { base, head, author }: PullRequest, outputs: string): string {
  const known: Readonly<Record<string, string>> = {
    "github.event.pull_request.base.sha": base,
    "github.event.pull_request.head.sha": head,
    "github.event.pull_request.number": "7",
    "github.event.pull_request.user.login": author,
    "github.token": "none",
    "steps.approvals.outputs.approved-by": /^approved-by=(.*)$/m.exec(outputs)?.[1] ?? "",
  };
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const value = known[expression];
    if (value === undefined) throw new Error(`the workflow asks for ${expression}`);
    return value;
  });
}

/** The packages of this repository; a lock file that looks old, so that nobody installs over them. */
function linkPackages(folder: string): void {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  utimesSync(join(folder, "package-lock.json"), 1, 1);
}
