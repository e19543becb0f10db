import { dirname, join } from "node:path";
import { Fault } from "../../src/ports.ts";
import { build } from "../../src/systems/embedded/build.ts";
import { programCache, fill, fillAlone, hasPrograms } from "../../src/systems/embedded/programCache.ts";
import { type Binaries, BUILT_VERSION, platformName } from "../../src/systems/embedded/releases.ts";
import { environmentFrom, findOnPath } from "../../src/systems/environment.ts";
import { binariesForTests } from "../support/controlPlane.ts";
import { quietRun } from "../support/quietRun.ts";

/** What a node runs beside etcd and kube-apiserver. */
const KUBERNETES = ["kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy"] as const;

/** What a node takes from the packages of the operating system. */
const SYSTEM = [
  "containerd",
  "ctr",
  "runc",
  "ip",
  "mount",
  "nft",
  "nsenter",
  "setpriv",
  "sleep",
  "tar",
  "unshare",
] as const;

/** The packages of Debian and others put network plugins here. */
const NETWORK_PLUGINS = "/usr/lib/cni:/opt/cni/bin";

/** Absolute paths of the programs that a node is made of. */
export interface NodePrograms extends Binaries {
  readonly kubernetes: Readonly<Record<(typeof KUBERNETES)[number], string>>;
  readonly system: Readonly<Record<(typeof SYSTEM)[number], string>>;
  /** The folder of the plugins that give pods their network. */
  readonly networkPlugins: string;
}

/** Finds the programs of a node, and builds those of Kubernetes that no earlier run has built; or says what is missing. */
export async function findNodePrograms(): Promise<NodePrograms | string> {
  const system = await onPath(SYSTEM);
  if (typeof system === "string") return system;
  const bridge = await findOnPath("bridge", { PATH: NETWORK_PLUGINS });
  if (bridge === undefined) return "a single-node Kubernetes needs containernetworking-plugins";
  const binaries = await binariesForTests();
  if ("skipped" in binaries) return binaries.skipped;
  const folder = await cachedKubernetes();
  if (typeof folder !== "string") return folder.why;
  const kubernetes = Object.fromEntries(KUBERNETES.map((name) => [name, join(folder, name)]));
  return { ...binaries, kubernetes: kubernetes as NodePrograms["kubernetes"], system, networkPlugins: dirname(bridge) };
}

async function onPath(names: typeof SYSTEM): Promise<NodePrograms["system"] | string> {
  const PATH = `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`;
  const found = await Promise.all(names.map(async (name) => [name, await findOnPath(name, { PATH })] as const));
  const missing = found.flatMap(([name, path]) => (path === undefined ? [name] : []));
  if (missing.length > 0) return `a single-node Kubernetes needs ${missing.join(", ")}`;
  return Object.fromEntries(found) as NodePrograms["system"];
}

/** The folder of the cache that has them; it is filled where it is missing. */
async function cachedKubernetes(): Promise<string | { readonly why: string }> {
  const environment = environmentFrom(process.env);
  const target = join(programCache(environment), `kubernetes-node-${BUILT_VERSION}-${platformName()}`);
  const progress = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const packages = KUBERNETES.map((name) => `k8s.io/kubernetes/cmd/${name}`);
  const make = async (): Promise<string | { readonly why: string }> => {
    if (await hasPrograms(target, KUBERNETES)) return target;
    const attempt = await fill(target, KUBERNETES, (folder) =>
      build({ packages, folder }, environment, progress, quietRun()),
    );
    return attempt.made ? target : { why: `a single-node Kubernetes could not be built: ${attempt.why}` };
  };
  try {
    return await fillAlone(programCache(environment), make, progress, quietRun());
  } catch (error) {
    if (error instanceof Fault) return { why: error.message };
    throw error;
  }
}
