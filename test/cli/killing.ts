import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openDouble, type Double } from "../systems/github/double.ts";
import { emptyFolder, type Folder } from "../systems/repository.ts";
import type { Ended } from "./program.ts";
import { branchesOf, pullsOf, type Git } from "./promotionEnd.ts";
import { DOUBLE, type Start } from "./promotionStart.ts";
import { COMPILE_CACHE } from "../support/compileCache.ts";

/** Where a run is killed: at the moment number `at`, from 1, of a kind. */
export interface Death {
  /** `call`: before or after a call of a port; `request`: before or after one to GitHub; `git`: after a Git command. */
  readonly kind: "call" | "request" | "git";
  readonly at: number;
}

/** A copy of a start, on which runs of `promote --apply` work. */
export interface Town {
  /** Runs it to its end, or to its death. */
  readonly apply: (death?: Death) => Promise<Ended>;
  /** The moments of all runs so far. */
  readonly moments: Readonly<Record<Death["kind"], () => readonly string[]>>;
  /** Takes into the clone what was merged meanwhile: so does a workflow before each run. */
  readonly pull: () => void;
  /** Everything that lasts, without what no two runs have in common. */
  readonly end: () => unknown;
  readonly close: () => Promise<void>;
}

const PROGRAM = join(import.meta.dirname, "mortalProgram.ts");

/** Opens a copy of a start. */
export async function openTown({ folder: start, pulls, direct }: Start): Promise<Town> {
  const folder = emptyFolder();
  cpSync(start.path, folder.path, { recursive: true });
  const [bare, clone] = ["bare", "clone"].map(
    (name): Git =>
      (...args) =>
        folder.git("-C", name, ...args),
  );
  if (bare === undefined || clone === undefined) throw new Error("there is no clone");
  const path = (name: string): string => join(folder.path, name);
  clone("remote", "set-url", "origin", path("bare"));
  const double = pulls && (await openDouble({ ...DOUBLE, bare: path("bare"), state: pulls }));
  const isLocal = double === undefined && !direct;
  addDeadlyGit(folder);
  const requests: string[] = [];
  return {
    apply: (death) => {
      const environment = { ...environmentOf(folder, double), KILL_AT: String(death?.kind === "git" ? death.at : 0) };
      const dieAt = String(death?.kind === "call" ? death.at : 0);
      const args = [PROGRAM, path("clone"), path("calls"), dieAt, ...(direct ? ["direct"] : [])];
      const child = spawn(process.execPath, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
      if (double !== undefined) killAt(double, child, requests, death?.kind === "request" ? death.at : 0);
      return endOf(child);
    },
    moments: {
      call: () => linesOf(path("calls")),
      request: () => requests,
      git: () => linesOf(path("commands")),
    },
    pull: () => {
      if (!isLocal) clone("pull", "--quiet", "--ff-only");
    },
    // A clone only follows what is proposed elsewhere.
    end: () => (isLocal ? branchesOf(clone) : { branches: branchesOf(bare), pulls: double && pullsOf(double) }),
    close: async () => {
      await double?.close();
      rmSync(folder.path, { recursive: true });
      if (double?.violations.length) throw new Error(double.violations.join("\n"));
    },
  };
}

function environmentOf(folder: Folder, double: Double | undefined): Readonly<Record<string, string>> {
  return {
    PATH: `${join(folder.path, "tools")}:${process.env["PATH"] ?? ""}`,
    HOME: folder.path,
    ...COMPILE_CACHE,
    XDG_CACHE_HOME: join(folder.path, "cache"),
    GITHUB_TOKEN: "ghp_persons",
    GITHUB_API_URL: double?.url ?? "",
    KILL_LOG: join(folder.path, "commands"),
  };
}

/** A git that kills its caller after command number $KILL_AT, or at the start of one that stays for requests. */
function addDeadlyGit(folder: Folder): void {
  const [git] = (process.env["PATH"] ?? "").split(":").flatMap((one) => {
    const program = join(one, "git");
    return existsSync(program) ? [program] : [];
  });
  const lines = [
    "#!/bin/sh",
    'echo "$*" >>"$KILL_LOG"',
    `[ $KILL_AT -ne 0 ] || exec ${git ?? ""} "$@"`,
    'n=$(wc -l <"$KILL_LOG")',
    'case "$*" in *--batch) [ $n -ne $KILL_AT ] || kill -9 $PPID',
    `exec ${git ?? ""} "$@";; esac`,
    `${git ?? ""} "$@"; code=$?`,
    "[ $n -ne $KILL_AT ] || kill -9 $PPID",
    "exit $code",
  ];
  folder.write({ "tools/git": `${lines.join("\n")}\n` });
  chmodSync(join(folder.path, "tools/git"), 0o755);
}

/** Kills the child as GitHub gets a request, or has carried it out; number `at` of all such moments. */
function killAt(double: Double, child: ChildProcess, moments: string[], at: number): void {
  const before = moments.length;
  double.onRequest((_, phase, description) => {
    if (moments.push(`${phase} ${description}`) - before !== at) return undefined;
    child.kill("SIGKILL");
    return "drop";
  });
}

function endOf(child: ChildProcess): Promise<Ended> {
  const said = { stdout: "", stderr: "" };
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdout?.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, ...said });
    });
  });
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}
