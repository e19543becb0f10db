import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import type { Run } from "../../src/ports.ts";
import { endedFault, startGuard, type Guarded } from "../../src/systems/embedded/guarded.ts";
import { prepareKeys, servingCertificate } from "../../src/systems/embedded/keys.ts";
import { writeKubeconfig } from "../../src/systems/embedded/kubeconfig.ts";
import { pause } from "../../src/systems/pause.ts";
import { execute } from "../../src/systems/process.ts";
import { quietRun } from "../support/quietRun.ts";
import { openOutside } from "../sync/outside.ts";
import { copyPrograms, writeImage } from "./image.ts";
import { inside, NAMESPACES, NAMESPACES_FILE, type Namespaces } from "./namespaces.ts";
import { findNodePrograms, type NodePrograms } from "./programs.ts";
import { NEVER_PULL } from "./neverPull.ts";
import { CONTAINERD, firstPrograms, laterPrograms, NODE, PORT, type NodeSetup } from "./settings.ts";

/** A Kubernetes of one node that runs pods, in namespaces of its own. */
export interface SingleNode {
  /** Path of a kubeconfig of an administrator, with one context. */
  readonly kubeconfigPath: string;
  /** This machine, as pods reach it. They are reached at their own addresses. */
  readonly hostAddress: string;
  /** Gives the node the image of an archive that `docker save` or `writeImage` wrote. Nothing is ever pulled. */
  loadImage(archive: string): Promise<void>;
  /** Ends everything and removes every trace. May be called again. */
  stop(): Promise<void>;
}

const START_DEADLINE_MS = 120_000;
const POLL_MS = 50;
/** No controller starts later after another one than this. */
const STILL_MS = 1_000;
const PAUSE_IMAGE = "docker.io/local/pause:1";
const KEEPER = join(import.meta.dirname, "keeper.ts");

/**
 * Starts a node, in about five seconds; the first one builds its programs. It ends with this process, however that
 * ends. `name` is that of the context. Says what this machine lacks where it cannot run one. Throws PROCESS_FAILED.
 */
export async function startSingleNode(
  name: string,
  run: Run = quietRun(),
): Promise<SingleNode | { readonly skipped: string }> {
  const programs = rightsMissing() ?? (await findNodePrograms());
  if (typeof programs === "string") return { skipped: programs };
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-node-"));
  const guarded = startGuard({ temporaryFolder: folder }, { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` });
  const giveUp = new AbortController();
  const late = AbortSignal.timeout(START_DEADLINE_MS);
  void guarded.ended.then((ended) => {
    giveUp.abort(endedFault(ended));
  });
  const signal = AbortSignal.any([run.signal, giveUp.signal, late]);
  try {
    return await startIn(folder, guarded, { name, programs }, { ...run, signal });
  } catch (error) {
    await guarded.stop();
    throw late.aborted ? new Error(`${name} did not become ready within ${START_DEADLINE_MS / 1000} s`) : error;
  }
}

/** Why a process of this user cannot have namespaces of its own. */
function rightsMissing(): string | undefined {
  if (process.platform !== "linux") return "a single-node Kubernetes needs Linux";
  if (process.getuid?.() !== 0) return "a single-node Kubernetes needs root";
  const { status, stderr, error } = spawnSync("unshare", [...NAMESPACES, "true"], { encoding: "utf8" });
  return status === 0 ? undefined : `a single-node Kubernetes needs namespaces: ${error?.message ?? stderr.trim()}`;
}

/** A node that starts. */
interface Starting {
  readonly name: string;
  readonly programs: NodePrograms;
}

async function startIn(folder: string, guarded: Guarded, { name, programs }: Starting, run: Run): Promise<SingleNode> {
  const keeper = { name: "the keeper of the namespaces", command: process.execPath, args: [KEEPER, folder] };
  guarded.start([{ ...keeper, log: join(folder, "keeper.log"), stop: "ask" }]);
  const token = await prepareKeys(folder, Date.now());
  const namespaces = await announced(folder, run);
  const { hostAddress, nodeAddress } = namespaces.network;
  const kubeconfig = join(folder, "kubeconfig");
  const setup: NodeSetup = { programs, folder, namespaces, kubeconfig, pauseImage: PAUSE_IMAGE };
  guarded.start(firstPrograms(setup));
  const certificateAuthority = await servingCertificate(folder, run);
  await writeKubeconfig(kubeconfig, [{ name, server: `https://${nodeAddress}:${PORT}`, token, certificateAuthority }]);
  const { send, must } = openOutside({ kubeconfig });
  await until(() => send("GET", "/readyz").then(({ status }) => status === 200, notYet), run);
  await importImage(setup, pauseImage(setup), run);
  for (const [path, object] of NEVER_PULL) await must("POST", path, object);
  guarded.start(laterPrograms(setup));
  await until(async () => isReady((await send("GET", `/api/v1/nodes/${NODE}`)).body), run);
  // Each controller creates its own objects when it starts, which would disturb tests that compare the cluster before
  // and after.
  let known = 0;
  await until(async () => {
    await pause(STILL_MS, run);
    const { items } = await must("GET", "/api/v1/namespaces/kube-system/serviceaccounts");
    const before = known;
    known = (items as readonly unknown[]).length;
    return known > 0 && known === before;
  }, run);
  return {
    kubeconfigPath: kubeconfig,
    hostAddress,
    loadImage: (archive) => importImage(setup, archive, quietRun()),
    stop: () => guarded.stop(),
  };
}

async function announced(folder: string, run: Run): Promise<Namespaces> {
  const file = join(folder, NAMESPACES_FILE);
  await until(() => Promise.resolve(existsSync(file)), run);
  return JSON.parse(readFileSync(file, "utf8")) as Namespaces;
}

async function until(holds: () => Promise<boolean>, run: Run): Promise<void> {
  while (!(await holds())) await pause(POLL_MS, run);
}

/** Nothing listens there before the API server does. */
const notYet = (): boolean => false;

function isReady({ status }: KubernetesObject): boolean {
  const { conditions = [] } = (status ?? {}) as { conditions?: readonly Record<"type" | "status", string>[] };
  return conditions.some((condition) => condition.type === "Ready" && condition.status === "True");
}

/** An image whose program only waits. */
function pauseImage({ programs, folder }: NodeSetup): string {
  const files = join(folder, "pause");
  copyPrograms([programs.system.sleep], files);
  return writeImage(files, {
    names: [PAUSE_IMAGE],
    entrypoint: [programs.system.sleep, "infinity"],
    user: "65535:65535",
  });
}

async function importImage({ namespaces, folder }: NodeSetup, archive: string, run: Run): Promise<void> {
  const load = ["ctr", "--address", CONTAINERD, "--namespace", "k8s.io", "images", "import", archive];
  const [program = "", ...args] = [...inside(namespaces, folder), ...load];
  await execute({ program, args, cwd: folder, fault: "PROCESS_FAILED" }, run);
}
