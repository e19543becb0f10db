import type { RequestOptions as SecureOptions } from "node:https";
import { extname } from "node:path";
import { SHARE_ENV, Worker } from "node:worker_threads";
import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { Fault, type FaultCode } from "../../ports.ts";

/** How to connect to an API server, as a kubeconfig says. */
export interface ClusterConnection {
  /** The address of the server. */
  readonly server: string;
  /** The address of a proxy, or empty. */
  readonly proxy: string;
  readonly tls: ClusterTls;
  /** The headers with the credentials. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Whether a program or a file gave the credentials, and may give others later. */
  readonly isTemporary: boolean;
}

/** The TLS settings of a kubeconfig. */
type ClusterTls = Pick<
  SecureOptions,
  "ca" | "cert" | "key" | "pfx" | "passphrase" | "rejectUnauthorized" | "servername"
>;

/** A question to the worker that reads kubeconfigs. */
export interface KubeconfigQuestion {
  readonly id: number;
  readonly address: ControlPlaneAddress;
  /** How to connect, or the context alone as the text of a kubeconfig. */
  readonly wants: "connection" | "text";
}

/** What the worker answers. */
export type KubeconfigReply =
  | { readonly kind: "connection"; readonly connection: ClusterConnection }
  | { readonly kind: "text"; readonly text: string }
  /** Why the kubeconfig cannot be used. */
  | { readonly kind: "refused"; readonly code: FaultCode; readonly message: string };

/** The reply to the question with this number. */
export type KubeconfigAnswer = KubeconfigReply & Pick<KubeconfigQuestion, "id">;

/**
 * How to connect to a control plane. Throws CONFIGURATION for a context or file that does not exist, and
 * CLUSTER_UNAUTHORIZED where the credentials cannot be obtained.
 */
export async function readConnection(address: ControlPlaneAddress): Promise<ClusterConnection> {
  const reply = await ask(address, "connection");
  if (reply.kind !== "connection") throw new Error(`the kubeconfig worker answered ${reply.kind}`);
  return reply.connection;
}

/**
 * A kubeconfig with one context, for another program on this machine: it still refers to credential files and programs.
 * Throws CONFIGURATION for a context or file that does not exist.
 */
export async function readKubeconfig(address: ControlPlaneAddress): Promise<string> {
  const reply = await ask(address, "text");
  if (reply.kind !== "text") throw new Error(`the kubeconfig worker answered ${reply.kind}`);
  return reply.text;
}

/** An address as messages name it. */
export function describeAddress(address: ControlPlaneAddress): string {
  if ("context" in address) return `the context ${address.context}`;
  return "kubeconfig" in address ? address.kubeconfig : "this pod";
}

/** A worker, and the questions that it has not answered yet. */
interface KubeconfigReader {
  readonly worker: Worker;
  readonly open: Map<number, PromiseWithResolvers<KubeconfigReply>>;
  /** Ends the worker. */
  ending?: NodeJS.Timeout;
}

/** `.ts` in the repository, `.js` in the package. */
const WORKER = new URL(`kubeconfigWorker${extname(import.meta.url)}`, import.meta.url);
/**
 * How long the first worker waits for another question, the second one, and so on; milliseconds. The first one ends at
 * once: what follows is the first list of a control plane, and both together would be the peak of a controller's memory.
 * A start takes a second, so a process that asks again and again keeps its worker.
 */
const IDLE_MS = [0, 2_000, 8_000, 32_000, 128_000] as const;

let reader: KubeconfigReader | undefined;
let workers = 0;
let questions = 0;

async function ask(
  address: ControlPlaneAddress,
  wants: KubeconfigQuestion["wants"],
): Promise<Exclude<KubeconfigReply, { kind: "refused" }>> {
  const asked = (reader ??= startReader());
  const question: KubeconfigQuestion = { id: ++questions, address, wants };
  const answer = Promise.withResolvers<KubeconfigReply>();
  asked.open.set(question.id, answer);
  clearTimeout(asked.ending);
  asked.worker.ref();
  asked.worker.postMessage(question);
  const reply = await answer.promise;
  if (reply.kind === "refused") throw new Fault(reply.code, reply.message);
  return reply;
}

/** Starts a worker with the environment that this process has at each moment. */
function startReader(): KubeconfigReader {
  workers++;
  const worker = new Worker(WORKER, { env: SHARE_ENV, execArgv: ["--disable-warning=ExperimentalWarning"] });
  const started: KubeconfigReader = { worker, open: new Map() };
  const fail = (error: Error): void => {
    if (reader === started) reader = undefined;
    for (const { reject } of started.open.values()) reject(error);
  };
  worker.on("message", ({ id, ...reply }: KubeconfigAnswer) => {
    started.open.get(id)?.resolve(reply);
    started.open.delete(id);
    if (started.open.size === 0) rest(started);
  });
  worker.on("error", fail);
  worker.on("exit", () => {
    fail(new Error("the kubeconfig worker ended"));
  });
  return started;
}

/** Keeps the worker for a moment, without keeping the process. */
function rest(resting: KubeconfigReader): void {
  resting.worker.unref();
  resting.ending = setTimeout(
    () => {
      if (reader === resting) reader = undefined;
      void resting.worker.terminate();
    },
    IDLE_MS[workers - 1] ?? IDLE_MS[4],
  ).unref();
}
