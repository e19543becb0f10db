import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClusterSupply, Fault, type Run } from "../../ports.ts";
import { findOnPath, type Variables } from "../environment.ts";
import { closeAccess, openAccess } from "../kubernetes/access.ts";
import { openCluster } from "../kubernetes/cluster.ts";
import { execute } from "../process.ts";
import { type MadeCluster, pooled } from "./pool.ts";

/** Prefix of cluster names, followed by the process id and a number. */
const PREFIX = "kyma-modules-smoke-";

/** Options for clusters of the kind program. */
export interface KindOptions {
  /** Such as `1.36` or `1.36.1`; by default the version of the kind program. */
  readonly kubernetes: string | undefined;
  /** Folder for the logs of clusters on which something failed; not kept if undefined. */
  readonly logs: string | undefined;
}

/** Why kind clusters cannot be created here; `undefined` if they can. */
export async function kindMissing(variables: Variables, run: Run): Promise<string | undefined> {
  for (const program of ["kind", "docker"])
    if ((await findOnPath(program, variables)) === undefined) return `there is no ${program} on the PATH`;
  try {
    await execute({ program: "docker", args: ["info"], cwd: tmpdir(), fault: "PROCESS_FAILED" }, run);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return "Docker does not answer: start it, or get permission to use it";
  }
}

/**
 * Supplies throw-away clusters of the kind program. First removes clusters of earlier processes that were killed.
 * `take` throws CONFIGURATION if kind or Docker is missing, and PROCESS_FAILED with the output of kind.
 */
export function kindSupply(variables: Variables, options: KindOptions): ClusterSupply {
  let count = 0;
  let ready: Promise<void> | undefined;
  return pooled({ place: "kind", pods: true }, async (run) => {
    ready ??= prepare(variables, run);
    await ready;
    return make(`${PREFIX}${process.pid}-${count++}`, options, run);
  });
}

async function prepare(variables: Variables, run: Run): Promise<void> {
  const why = await kindMissing(variables, run);
  if (why !== undefined)
    throw new Fault(
      "CONFIGURATION",
      `kind cannot be used here: ${why}. Choose another cluster: --cluster embedded or context:NAME.`,
    );
  const listed = await kind(["get", "clusters"], run);
  for (const name of abandoned(listed, isAlive)) {
    run.log.warn("A cluster of a run that was killed is removed.", { cluster: name });
    await kind(["delete", "cluster", "--name", name], run);
  }
}

/** The listed clusters of this program (one name per line) whose process no longer runs. */
export function abandoned(listed: string, isAlive: (process: number) => boolean): readonly string[] {
  return listed.split("\n").filter((name) => {
    const [, owner] = /^kyma-modules-smoke-(\d+)-\d+$/.exec(name.trim()) ?? [];
    return owner !== undefined && !isAlive(Number(owner));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function make(name: string, { kubernetes, logs }: KindOptions, run: Run): Promise<MadeCluster> {
  const kubeconfig = join(tmpdir(), `${name}.kubeconfig`);
  const image = kubernetes === undefined ? [] : ["--image", nodeImage(kubernetes)];
  const stop = async (): Promise<void> => {
    // A signal of its own, so that it also runs after an interruption.
    const within = { ...run, signal: AbortSignal.timeout(REMOVAL_MS) };
    await kind(["delete", "cluster", "--name", name, "--kubeconfig", kubeconfig], within);
    await rm(kubeconfig, { force: true });
  };
  try {
    await kind(["create", "cluster", "--name", name, "--kubeconfig", kubeconfig, "--wait", "90s", ...image], run);
    const access = await openAccess({ kubeconfig });
    return {
      cluster: openCluster(access),
      kubeconfig,
      loadImage: (image) => loadImage(name, image, run),
      keepLogs: async () => {
        const within = { ...run, signal: AbortSignal.timeout(REMOVAL_MS) };
        if (logs !== undefined) await kind(["export", "logs", join(logs, name), "--name", name], within);
      },
      stop: async () => {
        await closeAccess(access);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const REMOVAL_MS = 60_000;

/** kind publishes an image for the first patch of every minor version. */
export function nodeImage(kubernetes: string): string {
  return `kindest/node:v${/^\d+\.\d+$/.test(kubernetes) ? `${kubernetes}.0` : kubernetes}`;
}

/** Loads an image that this machine has: the cluster may not be able to pull it. */
async function loadImage(name: string, image: string, run: Run): Promise<void> {
  const command = { program: "docker", args: ["image", "inspect", image], cwd: tmpdir(), accepted: [1] } as const;
  const { code } = await execute({ ...command, fault: "PROCESS_FAILED" }, run);
  if (code === 0) await kind(["load", "docker-image", image, "--name", name], run);
}

async function kind(args: readonly string[], run: Run): Promise<string> {
  const { stdout } = await execute({ program: "kind", args, cwd: tmpdir(), fault: "PROCESS_FAILED" }, run);
  return stdout.toString();
}
