import { join } from "node:path";
import type { GuardedProgram } from "./guard.ts";
import { KEYS_FOLDER } from "./keys.ts";
import type { Binaries } from "./releases.ts";

/** Everything that the two command lines depend on. */
export interface Setup {
  readonly binaries: Binaries;
  /** Holds the data, the logs and the keys. */
  readonly folder: string;
  /** The port of the API server. */
  readonly port: number;
  /** Whether the data outlives the processes. */
  readonly isKept: boolean;
}

/** etcd and kube-apiserver, in the order in which they start. */
export function programsOf(setup: Setup): readonly GuardedProgram[] {
  const { binaries, folder, isKept } = setup;
  const program = (name: string): Pick<GuardedProgram, "name" | "log" | "folder"> => ({
    name,
    log: join(folder, `${name}.log`),
    folder: join(folder, KEYS_FOLDER),
  });
  return [
    { ...program("etcd"), command: binaries.etcd, args: etcdFlags(setup), stop: isKept ? "ask" : "kill" },
    // The API server keeps nothing, so it need not be asked: what etcd has answered is stored.
    { ...program("kube-apiserver"), command: binaries.apiServer, args: apiServerFlags(setup), stop: "kill" },
  ];
}

const flags = (values: Readonly<Record<string, string | number | boolean>>): readonly string[] =>
  Object.entries(values).map(([name, value]) => `--${name}=${String(value)}`);

/**
 * A socket in the folder in which both programs run. etcd does not ask who calls, so only the user may enter there. The
 * name is relative: an absolute path may be longer than the 108 bytes (104 on macOS) that the operating system takes.
 */
const socket = (name: string): string => `unix://${name}`;

function etcdFlags({ folder, isKept }: Setup): readonly string[] {
  return flags({
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": socket("etcd"),
    // There are no peers, but etcd insists on a place to hear them, and on addresses at which nothing listens here.
    "listen-peer-urls": socket("etcd-peers"),
    "advertise-client-urls": "http://127.0.0.1:2379",
    "initial-advertise-peer-urls": "http://127.0.0.1:2380",
    "initial-cluster": "default=http://127.0.0.1:2380",
    // A member without peers wins every election, so it need not wait a second for other candidates, in milliseconds.
    "heartbeat-interval": 10,
    "election-timeout": 100,
    "unsafe-no-fsync": !isKept, // thrown away data need not survive a power cut
    "log-level": "warn",
  });
}

function apiServerFlags({ folder, port }: Setup): readonly string[] {
  const keys = (name: string): string => join(folder, KEYS_FOLDER, name);
  return flags({
    "bind-address": "127.0.0.1",
    "secure-port": port,
    // Otherwise a machine without a default route has no address to advertise, and the server does not start.
    "advertise-address": "127.0.0.1",
    "endpoint-reconciler-type": "none",
    "etcd-servers": socket("etcd"),
    "cert-dir": join(folder, KEYS_FOLDER), // it makes its certificate itself
    "token-auth-file": keys("tokens.csv"),
    "authorization-mode": "Node,RBAC",
    // The only departure from the defaults: it wants a service account `default` in each namespace, which
    // kube-controller-manager makes, and there is none.
    "disable-admission-plugins": "ServiceAccount",
    "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
    "service-account-key-file": keys("service-account.pub"),
    "service-account-signing-key-file": keys("service-account.key"),
    "service-cluster-ip-range": "10.0.0.0/24",
    "allow-privileged": true,
    profiling: false,
  });
}
