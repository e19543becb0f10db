import { join } from "node:path";
import type { GuardedProgram } from "./guard.ts";
import type { Identity } from "./identity.ts";
import type { Binaries } from "./releases.ts";

/** Everything that the two command lines depend on. */
export interface Setup {
  readonly binaries: Binaries;
  /** Holds the data, the logs and the keys. */
  readonly folder: string;
  readonly identity: Identity;
  readonly ports: { readonly etcd: number; readonly apiServer: number };
  /** Whether the data outlives the processes. */
  readonly isKept: boolean;
}

/** etcd and kube-apiserver, in the order in which they start. */
export function programsOf(setup: Setup): readonly GuardedProgram[] {
  const { binaries, folder, isKept } = setup;
  const log = (name: string): string => join(folder, `${name}.log`);
  return [
    {
      name: "etcd",
      command: binaries.etcd,
      args: flags(etcdFlags(setup)),
      log: log("etcd"),
      stop: isKept ? "ask" : "kill",
    },
    // The API server keeps nothing, so it need not be asked: what etcd has answered is stored.
    {
      name: "kube-apiserver",
      command: binaries.apiServer,
      args: flags(apiServerFlags(setup)),
      log: log("kube-apiserver"),
      stop: "kill",
    },
  ];
}

type Flags = Readonly<Record<string, string | number | boolean>>;

const flags = (values: Flags): readonly string[] =>
  Object.entries(values).map(([name, value]) => `--${name}=${String(value)}`);

function etcdFlags({ folder, identity, ports, isKept }: Setup): Flags {
  const url = `https://127.0.0.1:${ports.etcd}`;
  const pki = (name: string): string => join(identity.folder, name);
  return {
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": url,
    "advertise-client-urls": url,
    // There are no peers, but etcd insists on a place to hear them; the kernel picks one that nobody is told.
    "listen-peer-urls": "https://127.0.0.1:0",
    "initial-advertise-peer-urls": "https://127.0.0.1:2380",
    "initial-cluster": "default=https://127.0.0.1:2380",
    // A member without peers wins every election, so it need not wait a second for other candidates, in milliseconds.
    "heartbeat-interval": 10,
    "election-timeout": 100,
    "client-cert-auth": true,
    "trusted-ca-file": pki("etcd-ca.crt"),
    "cert-file": pki("etcd.crt"),
    "key-file": pki("etcd.key"),
    "peer-client-cert-auth": true,
    "peer-trusted-ca-file": pki("etcd-ca.crt"),
    "peer-cert-file": pki("etcd.crt"),
    "peer-key-file": pki("etcd.key"),
    "unsafe-no-fsync": !isKept, // thrown away data need not survive a power cut
    "log-level": "warn",
  };
}

function apiServerFlags({ identity, ports }: Setup): Flags {
  const pki = (name: string): string => join(identity.folder, name);
  return {
    "bind-address": "127.0.0.1",
    "secure-port": ports.apiServer,
    // Otherwise a machine without a default route has no address to advertise, and the server does not start.
    "advertise-address": "127.0.0.1",
    "endpoint-reconciler-type": "none",
    "etcd-servers": `https://127.0.0.1:${ports.etcd}`,
    "etcd-cafile": pki("etcd-ca.crt"),
    "etcd-certfile": pki("etcd-client.crt"),
    "etcd-keyfile": pki("etcd-client.key"),
    "cert-dir": identity.folder,
    "tls-cert-file": pki("server.crt"),
    "tls-private-key-file": pki("server.key"),
    "client-ca-file": pki("ca.crt"),
    "token-auth-file": pki("tokens.csv"),
    "authorization-mode": "Node,RBAC",
    // The only departure from the defaults: it wants a service account `default` in each namespace, which
    // kube-controller-manager makes, and there is none.
    "disable-admission-plugins": "ServiceAccount",
    "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
    "service-account-key-file": pki("service-account.pub"),
    "service-account-signing-key-file": pki("service-account.key"),
    "service-cluster-ip-range": "10.0.0.0/24",
    "allow-privileged": true,
    profiling: false,
  };
}
