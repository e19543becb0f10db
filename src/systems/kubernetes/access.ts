import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { durationText } from "../../document/times.ts";
import { Fault } from "../../ports.ts";
import type { HttpHead } from "../http/answer.ts";
import { Backpressure, type RequestRate } from "../http/backpressure.ts";
import { HttpClient, type Limits } from "../http/client.ts";
import { openDispatcher } from "../http/proxies.ts";
import { type ClusterConnection, readConnection } from "./kubeconfig.ts";

/** How to talk to one API server: where it is, over which connections, and as whom. */
export interface Access {
  /** Base address, without a slash at the end. */
  readonly server: string;
  readonly limits: ClusterLimits;
  readonly skew: ClockSkew;
  /** Hears of every answer: a method of HTTP or `watch`, and the status code; `undefined` where there was none. */
  readonly onAnswer?: ((verb: string, code: number | undefined) => void) | undefined;
  /** The connections and credentials that are used now. Throws CLUSTER_UNAUTHORIZED where there are none. */
  connect(): Promise<Connection>;
  /** Others, after the server did not accept those of `refused`; requests that fail at one time renew once. */
  renew(refused: Connection): Promise<Connection>;
}

/** As much as identity providers usually allow. Milliseconds. */
const ALLOWED_MS = 300_000;

/**
 * The difference between the clock of this machine and that of an API server, by the `Date` header of its latest answer.
 * Soaks, halts and exposure compare times that one machine writes with the clock of another one.
 */
export class ClockSkew {
  /** How far this machine is ahead. */
  #aheadMs = 0;

  /** Compares the clocks by an answer. One without the header tells nothing. */
  note({ headers }: HttpHead): void {
    const atMs = Date.parse(headers["date"] ?? "");
    if (!Number.isNaN(atMs)) this.#aheadMs = Date.now() - atMs;
  }

  /** Throws CONFIGURATION if the clocks differ by more than five minutes: a write would record a wrong time. */
  refuse(server: string): void {
    if (Math.abs(this.#aheadMs) <= ALLOWED_MS) return;
    const direction = this.#aheadMs > 0 ? "ahead of" : "behind";
    throw new Fault(
      "CONFIGURATION",
      `The clock of this machine is ${durationText(Math.abs(this.#aheadMs))} ${direction} the clock of ${server}. ` +
        "Nothing is written, because soaks compare both clocks. Correct the clock that is wrong, then run the command again.",
    );
  }
}

/** Connections, and the credentials that go with them. */
export interface Connection {
  readonly client: HttpClient;
  /** For watches. Over HTTP/1.1 each keeps a connection busy for minutes, and must not take one from a write. */
  readonly watches: HttpClient;
  /** The headers that say who asks; asked for at each request, since tokens expire. */
  headers(): Promise<ClusterConnection["headers"]>;
}

/** More than a sync ever sends, and few enough that a fault of ours is no flood for an API server. */
const RATE: RequestRate = { perSecond: 400, burst: 800 };
/** Connections at once: one for each write that `sync` sends at once. */
const CONNECTIONS = 20;
const CONNECT_MS = 10_000;
/**
 * The period after which the headers of an exec plugin or a token file are read again. A token that expires earlier is
 * renewed once the server refuses it. Milliseconds.
 */
const HEADERS_MS = 600_000;

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
 * Opens access by kubeconfig or from inside of the cluster. Uses client-node for kubeconfigs and identity providers,
 * but not for requests, since it does not allow signals and deadlines per call. Throws CONFIGURATION for a context or
 * file that does not exist.
 */
export async function openAccess(address: ControlPlaneAddress, limits: ClusterLimits = LIMITS): Promise<Access> {
  const backpressure = new Backpressure(RATE);
  const again = (): Promise<ClusterConnection> => readConnection(address);
  const first = await again();
  const server = first.server.replace(/\/+$/, "");
  const open = (connection: ClusterConnection): Connection => openConnection(connection, again, limits, backpressure);
  let current = open(first);
  const renew = sharedWhilePending(async () => (current = open(await again())));
  return {
    server,
    limits,
    skew: new ClockSkew(),
    connect: () => Promise.resolve(current),
    // Another request may have renewed it already.
    renew: (refused) => (current === refused ? renew() : Promise.resolve(current)),
  };
}

/** Calls made while one is pending share its result; one that failed is made again. */
function sharedWhilePending<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let pending: Promise<Result> | undefined;
  return () =>
    (pending ??= work().finally(() => {
      pending = undefined;
    }));
}

/** Ends the connections to a server that is about to go: a request under way would crash on their ends. */
export async function closeAccess(access: Access): Promise<void> {
  const { client, watches } = await access.connect();
  await Promise.all([client.close(), watches.close()]);
}

function openConnection(
  { tls, proxy, headers, isTemporary }: ClusterConnection,
  again: () => Promise<ClusterConnection>,
  limits: ClusterLimits,
  backpressure: Backpressure,
): Connection {
  if (!/^(https?:|$)/.test(proxy))
    throw new Fault(
      "CONFIGURATION",
      `The kubeconfig uses the proxy ${proxy}, which is not an HTTP proxy. Use an HTTP proxy.`,
    );
  const options = { httpProxy: proxy, httpsProxy: proxy, noProxy: "", connectMs: CONNECT_MS, tls };
  const settings = { kind: "CLUSTER", backpressure } as const;
  let current = headers;
  let readAt = performance.now();
  const readAgain = sharedWhilePending(async () => {
    current = (await again()).headers;
    readAt = performance.now();
  });
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
    headers: async () => {
      if (isTemporary && performance.now() - readAt > HEADERS_MS) await readAgain();
      return current;
    },
  };
}
