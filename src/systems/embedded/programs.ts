import { join } from "node:path";
import type { GuardedProgram } from "./guard.ts";
import { KEYS_FOLDER } from "./keys.ts";
import type { Binaries } from "./releases.ts";

/** The inputs of both command lines. */
interface Setup {
  readonly binaries: Binaries;
  /** Holds the data, the logs and the keys. */
  readonly folder: string;
  /** The port of the API server. */
  readonly port: number;
  /** Whether the data outlives the processes. */
  readonly isKept: boolean;
}

/** etcd and kube-apiserver, in the order in which they start. */
export function controlPlanePrograms(setup: Setup): readonly GuardedProgram[] {
  const { binaries, folder, isKept } = setup;
  const program = (name: string): Pick<GuardedProgram, "name" | "log" | "folder"> => ({
    name,
    log: join(folder, `${name}.log`),
    folder: join(folder, KEYS_FOLDER),
  });
  return [
    { ...program("etcd"), command: binaries.etcd, args: etcdFlags(setup), stop: isKept ? "ask" : "kill" },
    // The API server has no state of its own, so it can be killed: etcd has stored everything it confirmed.
    { ...program("kube-apiserver"), command: binaries.apiServer, args: apiServerFlags(setup), stop: "kill" },
  ];
}

const flags = (values: Readonly<Record<string, string | number | boolean>>): readonly string[] =>
  Object.entries(values).map(([name, value]) => `--${name}=${String(value)}`);

/**
 * A socket in the working folder of both programs. etcd does not authenticate callers, so only the user may enter that
 * folder. The name is relative: an absolute path may exceed the limit of 108 bytes (104 on macOS).
 */
const socket = (name: string): string => `unix://${name}`;

function etcdFlags({ folder, isKept }: Setup): readonly string[] {
  return flags({
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": socket("etcd"),
    // There are no peers, but etcd demands a place to hear them, and addresses, at which nothing listens here.
    "listen-peer-urls": socket("etcd-peers"),
    "advertise-client-urls": "http://127.0.0.1:2379",
    "initial-advertise-peer-urls": "http://127.0.0.1:2380",
    "initial-cluster": "default=http://127.0.0.1:2380",
    // Milliseconds. A member without peers wins every election, so it need not wait a second for other candidates.
    "heartbeat-interval": 10,
    "election-timeout": 100,
    "unsafe-no-fsync": !isKept, // temporary data need not survive a power cut
    "log-level": "warn",
  });
}

function apiServerFlags({ folder, port }: Setup): readonly string[] {
  const keys = (name: string): string => join(folder, KEYS_FOLDER, name);
  return flags({
    "bind-address": "127.0.0.1",
    "secure-port": port,
    // Otherwise the server does not start on a machine without a default route, which has no address to advertise.
    "advertise-address": "127.0.0.1",
    "endpoint-reconciler-type": "none",
    "etcd-servers": socket("etcd"),
    "cert-dir": join(folder, KEYS_FOLDER), // it makes its certificate itself
    "token-auth-file": keys("tokens.csv"),
    "authorization-mode": "Node,RBAC",
    // The only departure from the defaults: the plugin demands a service account `default` in each namespace, which
    // kube-controller-manager would create.
    "disable-admission-plugins": "ServiceAccount",
    "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
    "service-account-key-file": keys("service-account.pub"),
    "service-account-signing-key-file": keys("service-account.key"),
    "service-cluster-ip-range": "10.0.0.0/24",
    "allow-privileged": true,
    profiling: false,
  });
}
