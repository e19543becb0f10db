import type { RequestOptions as SecureOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import type { buildConnector } from "undici";
import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { Fault } from "../../ports.ts";
import { problemAt } from "../errno.ts";
import { Backpressure, HttpClient, type Limits } from "../http/client.ts";
import { openDispatcher } from "../http/proxies.ts";

/** How to talk to one API server: where it is, over which connections, and as whom. */
export interface Access {
  /** Base address, without a slash at the end. */
  readonly server: string;
  readonly limits: ClusterLimits;
  /** Hears of every answer: a method of HTTP or `watch`, and the status code; `undefined` where there was none. */
  readonly onAnswer?: ((verb: string, code: number | undefined) => void) | undefined;
  /** The connections and credentials that are used now. Throws CLUSTER_UNAUTHORIZED where there are none. */
  connect(): Promise<Connection>;
  /** Others, after the server did not accept those of `refused`; requests that fail at one time renew once. */
  renew(refused: Connection): Promise<Connection>;
}

/** Connections, and the credentials that go with them. */
export interface Connection {
  readonly client: HttpClient;
  /** For watches. Over HTTP/1.1 each keeps a connection busy for minutes, and must not take one from a write. */
  readonly watches: HttpClient;
  /** The headers that say who asks; asked for at each request, since tokens expire. */
  headers(): Promise<Readonly<Record<string, string>>>;
}

/** Connections at once: one for each write that `sync` sends at once. */
const CONNECTIONS = 20;
const CONNECT_MS = 10_000;
/** How long the headers of an exec plugin or a token file are used before they are asked for again. Milliseconds. */
const HEADERS_MS = 60_000;

/** The limits for an API server. */
export interface ClusterLimits extends Limits {
  /** Between two pieces of a watch. */
  readonly silentMs: number;
  /** After so long, and up to twice as long, the server ends a watch. */
  readonly watchMs: number;
}

/** The limits for reads; tests take shorter ones. */
export const LIMITS: ClusterLimits = {
  // The API server encodes a large list before it sends any of it.
  firstByteMs: 15_000,
  idleMs: 10_000,
  // An API server restarts within that time.
  backOffMs: 20_000,
  retryAfterMs: 80_000,
  firstPauseMs: 100,
  // An API server sends a bookmark once a minute.
  silentMs: 150_000,
  watchMs: 240_000,
};

/**
 * Access by kubeconfig or from inside of the cluster. client-node reads kubeconfigs and speaks to all identity
 * providers; its own requests are left aside, since their signals and deadlines cannot be set per call.
 * Throws CONFIGURATION for a context or file that does not exist.
 */
export async function openAccess(address: ControlPlaneAddress, limits: ClusterLimits = LIMITS): Promise<Access> {
  const backpressure = new Backpressure();
  const first = await loadConfig(address);
  const server = serverOf(first, address);
  let current = openConnection(first, limits, backpressure);
  await current;
  return {
    server,
    limits,
    connect: () => current,
    renew: async (refused) => {
      // Someone else may have renewed it already.
      if ((await current) === refused)
        current = loadConfig(address).then((config) => openConnection(config, limits, backpressure));
      return current;
    },
  };
}

/** Ends the connections to a server that is about to go: a request under way would crash on their ends. */
export async function closeAccess(access: Access): Promise<void> {
  const { client, watches } = await access.connect();
  await Promise.all([client.close(), watches.close()]);
}

function serverOf(config: KubeConfig, address: ControlPlaneAddress): string {
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Fault("CONFIGURATION", `The kubeconfig names no cluster for ${describe(address)}.`);
  // client-node composes the address of variables that only a pod has.
  if (cluster.server.includes("//undefined:"))
    throw new Fault("CONFIGURATION", "inCluster is for a program that runs in a pod, and this is none.");
  return cluster.server.replace(/\/+$/, "");
}

async function openConnection(
  config: KubeConfig,
  limits: ClusterLimits,
  backpressure: Backpressure,
): Promise<Connection> {
  const tls = await secureOptions(config);
  const proxy = proxyOf(config);
  const options = { httpProxy: proxy, httpsProxy: proxy, noProxy: "", connectMs: CONNECT_MS, tls: connectOptions(tls) };
  const settings = { kind: "CLUSTER", backpressure } as const;
  let headers = Promise.resolve(headersOf(tls));
  let readAt = performance.now();
  return {
    client: new HttpClient({
      ...settings,
      limits,
      dispatcher: openDispatcher({ ...options, connections: CONNECTIONS }),
    }),
    watches: new HttpClient({
      ...settings,
      limits: { ...limits, idleMs: limits.silentMs },
      dispatcher: openDispatcher(options),
    }),
    headers: () => {
      if (performance.now() - readAt > HEADERS_MS) {
        readAt = performance.now();
        headers = secureOptions(config).then(headersOf);
      }
      return headers;
    },
  };
}

async function secureOptions(config: KubeConfig): Promise<SecureOptions> {
  const options: SecureOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (cause) {
    throw new Fault(
      "CLUSTER_UNAUTHORIZED",
      `The credentials of the context ${config.getCurrentContext()} cannot be had: ${problemAt(cause)}.`,
      { cause },
    );
  }
  return options;
}

function headersOf({ headers, auth }: SecureOptions): Readonly<Record<string, string>> {
  const basic =
    auth === undefined || auth === null ? {} : { Authorization: `Basic ${Buffer.from(auth).toString("base64")}` };
  return {
    ...basic,
    ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])),
  };
}

/** The proxy of the kubeconfig, or nothing. The environment does not count. */
function proxyOf(config: KubeConfig): string {
  const proxy = config.getCurrentCluster()?.proxyUrl ?? "";
  if (/^(https?:|$)/.test(proxy)) return proxy;
  throw new Fault("CONFIGURATION", `The kubeconfig asks for the proxy ${proxy}; use an HTTP proxy.`);
}

function connectOptions(tls: SecureOptions): buildConnector.BuildOptions {
  const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername } = tls;
  const options = { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The kubeconfig behind an address. Throws CONFIGURATION for a context or file that does not exist. */
export async function loadConfig(address: ControlPlaneAddress): Promise<KubeConfig> {
  // Only commands that need a cluster pay for it: half a second.
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  try {
    if ("context" in address) {
      config.loadFromDefault();
      config.setCurrentContext(address.context);
    } else if ("kubeconfig" in address) config.loadFromFile(address.kubeconfig);
    else config.loadFromCluster();
  } catch (cause) {
    throw new Fault(
      "CONFIGURATION",
      `There is no usable kubeconfig for ${describe(address)}: ${problemAt(cause).replace(/\.$/, "")}. Check ${"context" in address ? "what KUBECONFIG names, or ~/.kube/config" : "the file"}.`,
      { cause },
    );
  }
  if ("context" in address && config.getContextObject(address.context) === null) {
    throw new Fault(
      "CONFIGURATION",
      `${missingContext(address.context, config)} Name another context, or set KUBECONFIG.`,
    );
  }
  return config;
}

/** Where there is no kubeconfig at all, the client makes up a context with this name. */
const MADE_UP = "loaded-context";

function missingContext(context: string, config: KubeConfig): string {
  const known = config.getContexts().map(({ name }) => name);
  return known.includes(MADE_UP)
    ? `There is no kubeconfig in which to look for the context ${context}.`
    : `Your kubeconfig has no context ${context}. It has: ${known.join(", ") || "none"}.`;
}

function describe(address: ControlPlaneAddress): string {
  if ("context" in address) return `the context ${address.context}`;
  return "kubeconfig" in address ? address.kubeconfig : "this pod";
}
