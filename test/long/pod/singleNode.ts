import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findOnPath } from "../../../src/systems/environment.ts";
import { writeKubeconfig } from "../../../src/systems/embedded/kubeconfig.ts";
import { execute } from "../../../src/systems/process.ts";
import { root } from "../../house/clone.ts";
import { binariesForTests } from "../../support/controlPlane.ts";
import { quietRun } from "../../support/quietRun.ts";

const SCRIPTS = join(root, "../shared/single-node");
/** This machine, as the node and its pods reach it. */
export const HOST_ADDRESS = "10.200.0.254";
const NODE_ADDRESS = "10.200.0.1";
/** The interface of this machine to the node; there is one node at a time. */
const INTERFACE = "labk0";

const START_DEADLINE_MS = 180_000;

const KUBERNETES = ["kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy", "kubectl"];
const PACKAGES = ["containerd", "ctr", "runc", "ip", "nft", "unshare", "openssl", "bc"];

/** The programs that a node is made of, by name. */
export type NodePrograms = ReadonlyMap<string, string>;

/** Finds what a single-node Kubernetes needs: beside kube-apiserver, or on the PATH. Gives what is missing. */
export async function findNodePrograms(): Promise<NodePrograms | string> {
  if (!existsSync(SCRIPTS)) return "there is no ../shared/single-node beside this repository";
  if (process.getuid?.() !== 0) return "a single-node Kubernetes needs root";
  const binaries = await binariesForTests();
  if ("skipped" in binaries) return binaries.skipped;
  const path = [dirname(binaries.apiServer), process.env["PATH"]].join(delimiter);
  const found = await Promise.all(
    [...KUBERNETES, ...PACKAGES].map(async (name) => [name, await findOnPath(name, { PATH: path })] as const),
  );
  const missing = found.flatMap(([name, file]) => (file === undefined ? [name] : []));
  if (missing.length > 0) return `a single-node Kubernetes needs ${missing.join(", ")}`;
  if (INTERFACE in networkInterfaces()) return `another single-node Kubernetes runs on this machine (${INTERFACE})`;
  const kubernetes = found.flatMap(([name, file = ""]) => (KUBERNETES.includes(name) ? [[name, file] as const] : []));
  return new Map([...kubernetes, ["etcd", binaries.etcd], ["kube-apiserver", binaries.apiServer]]);
}

/** A running node. */
export interface SingleNode {
  /** Path of a kubeconfig of its administrator. */
  readonly kubeconfig: string;
  readonly stop: () => void;
}

/** Starts a node in `folder`, with the images whose archives lie in `images`. */
export async function startNode(programs: NodePrograms, folder: string, images: string): Promise<SingleNode> {
  mkdirSync(join(folder, "bin"), { recursive: true });
  for (const [name, file] of programs) symlinkSync(file, join(folder, "bin", name));
  const DIR = join(folder, "node");
  const env = { ...process.env, BIN: join(folder, "bin"), IMAGES: images, DIR };
  const stop = (): void => {
    execFileSync(join(SCRIPTS, "down.sh"), { env });
  };
  try {
    execFileSync(join(SCRIPTS, "up.sh"), { env, timeout: START_DEADLINE_MS });
    // So that this machine reaches pods, and answers them. The route goes with the interface.
    execFileSync("ip", ["route", "add", "10.244.0.0/24", "via", NODE_ADDRESS]);
    return { kubeconfig: await kubeconfigOf(DIR), stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/** That of the scripts does not verify the server. */
async function kubeconfigOf(node: string): Promise<string> {
  const [path, server] = [join(node, "kubeconfig"), `https://${NODE_ADDRESS}:6443`];
  const certificateAuthority = readFileSync(join(node, "certs/apiserver.crt"), "utf8");
  await writeKubeconfig(path, [{ name: "node", server, token: "admin-token", certificateAuthority }]);
  return path;
}

/** Runs kubectl, and gives what it printed. Servers of this process answer meanwhile. */
export async function kubectl(kubeconfig: string, args: readonly string[], input = ""): Promise<string> {
  const command = { program: "kubectl", args: ["--kubeconfig", kubeconfig, ...args], cwd: root, input };
  return (await execute({ ...command, fault: "PROCESS_FAILED" }, quietRun())).stdout.toString();
}
