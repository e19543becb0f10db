import { readFile, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Run } from "../../ports.ts";
import { findOnPath, type Environment } from "../environment.ts";
import { diskFull, saysDiskFull } from "../files/folder.ts";
import { lastWords, startGuard, type Ended, type Guarded } from "./guarded.ts";
import { pause } from "../pause.ts";
import { type BinariesAttempt, type BinariesProgress, BUILT_VERSION } from "./releases.ts";

/** The Go module that pins Kubernetes and etcd. */
const MODULE = join(import.meta.dirname, "control-plane");

/** The packages to build and the target folder. */
interface BuildOptions {
  /** Packages of the pinned module. */
  readonly packages: readonly string[];
  readonly folder: string;
}

const DEADLINE_MS = 30 * 60_000;
const PROGRESS_MS = 10_000;

/** Builds programs into a folder and writes a log beside it. Throws DISK_FULL. */
export async function build(
  { packages, folder }: BuildOptions,
  environment: Environment,
  progress: BinariesProgress,
  run: Run,
): Promise<BinariesAttempt> {
  const go = await findOnPath("go", environment.variables);
  if (go === undefined) return { made: false, why: "there is no go on the PATH" };
  const programs = packages.map(builtProgram);
  progress(`building ${programs.map(({ name }) => name).join(" and ")} with Go: a few minutes, once`);
  const log = `${folder}.log`;
  const program = {
    name: "go",
    command: go,
    args: argumentsFor(packages, folder),
    log,
    folder: MODULE,
    stop: "kill",
  } as const;
  const guarded = startGuard({}, { ...environment.variables, GOWORK: "off" });
  try {
    guarded.start([program]);
    const ended = await untilEnded(guarded, log, progress, run);
    if (ended?.ok === true)
      for (const { built, name } of programs) await rename(join(folder, built), join(folder, name));
    if (ended === undefined) return { made: false, why: "go did not end within 30 minutes" };
    if (ended.ok) return { made: true };
    if (saysDiskFull(ended.tail)) throw diskFull(folder, new Error(ended.tail));
    return { made: false, why: `${ended.name} ${ended.outcome}: ${lastWords(ended.tail)}` };
  } finally {
    await guarded.stop();
  }
}

/** Go names a program after the folder of its package, and etcd's is `server`. */
function builtProgram(path: string): Readonly<Record<"built" | "name", string>> {
  const built = basename(path.replace(/\/v\d+$/, ""));
  return { built, name: built === "server" ? "etcd" : built };
}

/** Sets the version: without it a server reports v0.0.0-master, which kubectl and client libraries cannot parse. */
function argumentsFor(packages: readonly string[], folder: string): readonly string[] {
  const [major, minor] = BUILT_VERSION.split(".");
  const values = { gitVersion: `v${BUILT_VERSION}`, gitMajor: major, gitMinor: minor };
  const flags = Object.entries(values).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value ?? ""}`,
  );
  return [
    ...["build", "-v", "-mod=readonly", "-trimpath"],
    ...["-ldflags", `-s -w ${flags.join(" ")}`, "-o", `${folder}/`],
    ...packages,
  ];
}

async function untilEnded(
  guarded: Guarded,
  log: string,
  progress: BinariesProgress,
  run: Run,
): Promise<Ended | undefined> {
  for (let waitedMs = 0; waitedMs < DEADLINE_MS; waitedMs += PROGRESS_MS) {
    const ended = await Promise.race([guarded.ended, pause(PROGRESS_MS, run)]);
    if (ended !== undefined) return ended;
    const lines = (await readFile(log, "utf8")).split("\n").length - 1;
    progress(`still building: ${lines} packages so far, ${(waitedMs + PROGRESS_MS) / 1_000} s`);
  }
  return undefined;
}
