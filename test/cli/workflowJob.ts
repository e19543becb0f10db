import { spawn } from "node:child_process";
import { chmodSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import { isCommitName } from "../../src/document/commitName.ts";
import { plainEnvironment, root } from "../house/clone.ts";
import { emptyFolder, type Folder } from "../systems/repository.ts";
import { fillIn, isDue, type Contexts } from "./workflowExpression.ts";

/** What a workflow is started for, and on what. */
export interface Occasion {
  /** Path of the repository that is checked out. */
  readonly remote: string;
  readonly contexts: Contexts;
  /** Variables of the runner beside its own. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Programs in place of the runner's, by name. */
  readonly programs?: Readonly<Record<string, string>>;
  /** The command that is run in place of one that stands in the workflow. */
  readonly adapt?: (command: string) => string;
}

/** What a run of the workflow left. */
export interface WorkflowRun {
  /** Whether the run is green. */
  readonly passed: boolean;
  /** What each step printed, by its name. */
  readonly log: Readonly<Record<string, string>>;
  /** What stands beside the run, as Markdown. */
  readonly summary: string;
  /** The home folder of the runner. */
  readonly home: string;
  /** What the job tells the jobs that need it. */
  readonly outputs: Contexts;
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

interface Job {
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/**
 * Runs the job of .github/workflows/FILE as GitHub would, each `run` by bash as it stands there. `npm ci` is replaced
 * by the packages that are installed here; of the actions only checkout does anything.
 */
export async function runJob(file: string, name: string, occasion: Occasion): Promise<WorkflowRun> {
  const text = readFileSync(join(root, ".github/workflows", file), "utf8");
  const job = (parse(text) as { readonly jobs: Readonly<Record<string, Job>> }).jobs[name];
  if (job === undefined) throw new Error(`${file} has no job ${name}`);
  const runner = openRunner(occasion);
  const log: Record<string, string> = {};
  let passed = true;
  for (const step of isDue(job.if, true, runner.contexts()) ? job.steps : []) {
    const own = Object.entries(valuesOf(job.env ?? {}, runner)).map(([key, value]) => [`env.${key}`, value] as const);
    if (!isDue(step.if, passed, { ...runner.contexts(), ...Object.fromEntries(own) })) continue;
    const { status, said } = await carryOut(step, job, runner);
    log[step.name ?? step.uses ?? ""] = said;
    passed &&= status === 0;
  }
  const summary = readFileSync(runner.file("summary"), "utf8");
  return { passed, log, summary, home: runner.file("home"), outputs: valuesOf(job.outputs ?? {}, runner) };
}

interface Runner {
  readonly occasion: Occasion;
  readonly folder: Folder;
  readonly file: (name: string) => string;
  /** With what the steps said so far. */
  readonly contexts: () => Contexts;
  /** Takes what a step wrote into the file of its outputs. */
  readonly note: (step: string, outputs: string) => void;
}

function openRunner(occasion: Occasion): Runner {
  const folder = emptyFolder();
  const file = (name: string): string => join(folder.path, name);
  folder.write({ summary: "", "work/.keep": "", "temp/.keep": "", "home/.keep": "" });
  rmSync(file("work/.keep"));
  for (const [name, program] of Object.entries(occasion.programs ?? {})) {
    folder.write({ [`bin/${name}`]: program });
    chmodSync(file(`bin/${name}`), 0o755);
  }
  const said = new Map<string, string>();
  return {
    occasion,
    folder,
    file,
    contexts: () => ({ ...occasion.contexts, ...Object.fromEntries(said) }),
    note: (step, outputs) => {
      for (const [, key = "", value = ""] of outputs.matchAll(/^([^=\n]+)=(.*)$/gm))
        said.set(`steps.${step}.outputs.${key}`, value);
    },
  };
}

/** What a step printed, and how it ended. */
interface Ended {
  readonly status: number | null;
  readonly said: string;
}

const DONE: Ended = { status: 0, said: "" };

async function carryOut(step: Step, job: Job, runner: Runner): Promise<Ended> {
  if (step.uses?.startsWith("actions/checkout@") === true) checkOut(step, runner);
  if (step.run === undefined) return DONE;
  const folder = join(runner.file("work"), step["working-directory"] ?? ".");
  if (step.run.startsWith("npm ci")) {
    linkPackages(folder);
    return DONE;
  }
  runner.folder.write({ output: "" });
  const environment = { ...runnerVariables(runner), ...valuesOf({ ...job.env, ...step.env }, runner) };
  const ended = await bash(runner.occasion.adapt?.(step.run) ?? step.run, folder, environment);
  if (step.id !== undefined) runner.note(step.id, readFileSync(runner.file("output"), "utf8"));
  return ended;
}

/** As the action does: a branch is checked out as one, also by its short name; a commit is not. */
function checkOut({ with: { path = ".", ref = "" } = {} }: Step, { folder, file, occasion, contexts }: Runner): void {
  const name = fillIn(ref, contexts());
  const branch = isCommitName(name) ? undefined : name.replace(/^refs\/heads\//, "");
  const to = join(file("work"), path);
  folder.git("clone", "--quiet", "--shared", "--no-checkout", occasion.remote, to);
  const args = branch === undefined ? ["--detach", name] : ["-B", branch, `origin/${branch}`];
  folder.git("-C", to, "checkout", "--quiet", ...args);
}

function runnerVariables({ file, occasion }: Runner): Readonly<Record<string, string | undefined>> {
  const plain = plainEnvironment();
  return {
    ...plain,
    PATH: `${file("bin")}:${String(plain["PATH"])}`,
    HOME: file("home"),
    XDG_CACHE_HOME: "",
    npm_config_update_notifier: "false",
    // It would be of no use to the next run, whose program lies elsewhere.
    NODE_DISABLE_COMPILE_CACHE: "1",
    GITHUB_OUTPUT: file("output"),
    GITHUB_STEP_SUMMARY: file("summary"),
    RUNNER_TEMP: file("temp"),
    ...occasion.variables,
  };
}

function valuesOf(variables: Readonly<Record<string, string>>, { contexts }: Runner): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, fillIn(text, contexts())]));
}

/**
 * With the options that `defaults.run.shell: bash` stands for. Whatever it started ends with the test: it must not find
 * a clone that is half removed, and repair its packages.
 */
function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
  const child = spawn("bash", args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      resolve({ status, said });
    });
  });
}

/** The packages of this repository; a lock file that looks old, so that they are not reinstalled. */
function linkPackages(folder: string): void {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  utimesSync(join(folder, "package-lock.json"), 1, 1);
}
