import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GuardedProgram } from "../../src/systems/embedded/guard.ts";
import { KEYS_FOLDER } from "../../src/systems/embedded/keys.ts";
import { controlPlanePrograms } from "../../src/systems/embedded/programs.ts";
import { inside, type Namespaces } from "./namespaces.ts";
import type { NodePrograms } from "./programs.ts";

/** The name of the only node. */
export const NODE = "node";
/** The port of the API server. */
export const PORT = 6443;
/** Where containerd listens in the namespaces of its node. */
export const CONTAINERD = "/run/containerd/containerd.sock";

/** Everything that the settings of a node depend on. */
export interface NodeSetup {
  readonly programs: NodePrograms;
  /** Holds everything that the node writes. */
  readonly folder: string;
  readonly namespaces: Namespaces;
  /** Path of a kubeconfig of an administrator. */
  readonly kubeconfig: string;
  /** The image that keeps the network of a pod. */
  readonly pauseImage: string;
}

/** etcd, kube-apiserver and containerd, which need no API server. */
export function firstPrograms(setup: NodeSetup): readonly GuardedProgram[] {
  const { programs, folder, namespaces } = setup;
  const config = join(folder, "containerd.toml");
  writeFileSync(config, containerdSettings(setup));
  mkdirSync(join(folder, "cni"));
  writeFileSync(join(folder, "cni/pods.conflist"), JSON.stringify(networkSettings(namespaces)));
  const [etcd, apiServer] = controlPlanePrograms({ binaries: programs, folder, port: PORT, isKept: false });
  if (etcd === undefined || apiServer === undefined) throw new Error("a control plane has two programs");
  const args = [
    // There is a kube-controller-manager here, which makes the service accounts that this plugin wants.
    ...apiServer.args.filter((arg) => !arg.startsWith("--disable-admission-plugins=")),
    // The last one of a name counts.
    ...["--bind-address=0.0.0.0", `--advertise-address=${namespaces.network.nodeAddress}`],
    ...["--endpoint-reconciler-type=lease", "--kubelet-preferred-address-types=InternalIP"],
  ];
  const containerd = { ...program(setup, "containerd", programs.system.containerd), args: ["--config", config] };
  return [etcd, { ...apiServer, args }, containerd].map((one) => within(namespaces, one));
}

/** What makes pods of the objects in an API server, and runs them. */
export function laterPrograms(setup: NodeSetup): readonly GuardedProgram[] {
  const { programs, folder, kubeconfig, namespaces } = setup;
  const keys = (name: string): string => join(folder, KEYS_FOLDER, name);
  const config = join(folder, "kubelet.json");
  writeFileSync(config, JSON.stringify(kubeletSettings(setup)));
  writeFileSync(join(folder, "resolv.conf"), "");
  const args: Readonly<Record<keyof NodePrograms["kubernetes"], readonly string[]>> = {
    "kube-controller-manager": [
      ...["--leader-elect=false", "--use-service-account-credentials"],
      `--root-ca-file=${keys("apiserver.crt")}`,
      `--service-account-private-key-file=${keys("service-account.key")}`,
    ],
    "kube-scheduler": ["--leader-elect=false"],
    kubelet: [`--config=${config}`, `--hostname-override=${NODE}`, `--node-ip=${namespaces.network.nodeAddress}`],
    "kube-proxy": [
      ...["--proxy-mode=nftables", `--hostname-override=${NODE}`, `--cluster-cidr=${namespaces.network.pods}`],
      // These are settings of the machine.
      ...["max-per-core", "tcp-timeout-established", "tcp-timeout-close-wait"].map((name) => `--conntrack-${name}=0`),
    ],
  };
  return Object.entries(programs.kubernetes).map(([name, command]) => {
    const own = args[name as keyof NodePrograms["kubernetes"]];
    return within(namespaces, {
      ...program(setup, name, command),
      args: [`--kubeconfig=${kubeconfig}`, ...own],
    });
  });
}

function program({ folder }: NodeSetup, name: string, command: string): Omit<GuardedProgram, "args"> {
  return { name, command, folder, log: join(folder, `${name}.log`), stop: "kill" };
}

function within(namespaces: Namespaces, one: GuardedProgram): GuardedProgram {
  const [command = "", ...args] = inside(namespaces, one.folder ?? "/");
  return { ...one, command, args: [...args, one.command, ...one.args] };
}

function containerdSettings({ programs, folder, pauseImage }: NodeSetup): string {
  return `version = 2
root = "${join(folder, "containerd")}"
state = "/run/containerd"
[grpc]
  address = "${CONTAINERD}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${join(folder, "opt")}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true # otherwise it needs CAP_SYS_RESOURCE, which root in a container lacks
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${programs.networkPlugins}"
    conf_dir = "${join(folder, "cni")}"
`;
}

function networkSettings({ network }: Namespaces): object {
  const ipam = { type: "host-local", ranges: [[{ subnet: network.pods }]], routes: [{ dst: "0.0.0.0/0" }] };
  const plugins = [
    { type: "bridge", bridge: "cni0", isGateway: true, hairpinMode: true, ipam },
    { type: "portmap", capabilities: { portMappings: true } },
  ];
  return { cniVersion: "0.4.0", name: "pods", plugins };
}

function kubeletSettings({ folder, namespaces }: NodeSetup): object {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    containerRuntimeEndpoint: `unix://${CONTAINERD}`,
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${namespaces.network.name}`,
    failCgroupV1: false,
    failSwapOn: false,
    oomScoreAdj: 0, // a lower one needs CAP_SYS_RESOURCE
    maxOpenFiles: 20_000,
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: "AlwaysAllow" },
    // Nothing answers there, but without it every pod gets an event that says so.
    clusterDNS: ["10.0.0.10"],
    clusterDomain: "cluster.local",
    resolvConf: join(folder, "resolv.conf"),
    volumePluginDir: join(folder, "volume-plugins"),
    // The disk is that of the machine, and nothing can be pulled again.
    evictionHard: { "memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
    imageGCHighThresholdPercent: 100,
    localStorageCapacityIsolation: false,
  };
}
