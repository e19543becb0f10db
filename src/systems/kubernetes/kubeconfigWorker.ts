// Reads kubeconfigs in a thread that ends after its last question: client-node takes 60 MB, and a controller needs it once.
import type { RequestOptions as SecureOptions } from "node:https";
import { enableCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";
import type { KubeConfig } from "@kubernetes/client-node";
import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { problemAt } from "../errno.ts";
import {
  type ClusterConnection,
  describeAddress,
  type KubeconfigAnswer,
  type KubeconfigQuestion,
  type KubeconfigReply,
} from "./kubeconfig.ts";

type RefusedReply = Extract<KubeconfigReply, { kind: "refused" }>;

enableCompileCache();
const client = await import("@kubernetes/client-node");

parentPort?.on("message", ({ id, ...question }: KubeconfigQuestion) => {
  void answer(question).then((reply) => {
    parentPort?.postMessage({ id, ...reply } satisfies KubeconfigAnswer);
  });
});

async function answer({ address, wants }: Omit<KubeconfigQuestion, "id">): Promise<KubeconfigReply> {
  const config = load(address);
  if ("kind" in config) return config;
  if (wants === "text") return { kind: "text", text: textOf(config) };
  const options: SecureOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (cause) {
    const message = `The credentials of the context ${config.getCurrentContext()} cannot be read: ${problemAt(cause)}.`;
    return { kind: "refused", code: "CLUSTER_UNAUTHORIZED", message };
  }
  return { kind: "connection", connection: connectionOf(config, options) };
}

function load(address: ControlPlaneAddress): KubeConfig | RefusedReply {
  const config = new client.KubeConfig();
  try {
    if ("context" in address) {
      config.loadFromDefault();
      config.setCurrentContext(address.context);
    } else if ("kubeconfig" in address) config.loadFromFile(address.kubeconfig);
    else config.loadFromCluster();
  } catch (cause) {
    const problem = problemAt(cause).replace(/\.$/, "");
    const place = "context" in address ? "what KUBECONFIG names, or ~/.kube/config" : "the file";
    return unusable(`There is no usable kubeconfig for ${describeAddress(address)}: ${problem}. Check ${place}.`);
  }
  // client-node composes the address of variables that only a pod has.
  if (config.getCurrentCluster()?.server.includes("//undefined:") === true)
    return unusable("inCluster works only for a program that runs in a pod.");
  if ("context" in address && config.getContextObject(address.context) === null)
    return unusable(`${missingContext(address.context, config)} Name another context, or set KUBECONFIG.`);
  return config;
}

function unusable(message: string): RefusedReply {
  return { kind: "refused", code: "CONFIGURATION", message };
}

/** Where there is no kubeconfig at all, client-node makes up a context with this name. */
const MADE_UP = "loaded-context";

function missingContext(context: string, config: KubeConfig): string {
  const known = config.getContexts().map(({ name }) => name);
  return known.includes(MADE_UP)
    ? `There is no kubeconfig in which to look for the context ${context}.`
    : `Your kubeconfig has no context ${context}. It has: ${known.join(", ") || "none"}.`;
}

function connectionOf(config: KubeConfig, options: SecureOptions): ClusterConnection {
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername } = options;
  const tls = Object.entries({ ca, cert, key, pfx, passphrase, rejectUnauthorized, servername });
  return {
    server: cluster?.server,
    proxy: cluster?.proxyUrl ?? "",
    tls: Object.fromEntries(tls.filter(([, value]) => value !== undefined)),
    headers: headersOf(options),
    isTemporary: Boolean(user?.exec ?? user?.authProvider),
  };
}

function headersOf({ headers, auth }: SecureOptions): Readonly<Record<string, string>> {
  const basic =
    auth === undefined || auth === null ? {} : { Authorization: `Basic ${Buffer.from(auth).toString("base64")}` };
  return {
    ...basic,
    ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])),
  };
}

function textOf(config: KubeConfig): string {
  const { currentContext } = config;
  const [context, cluster, user] = [
    config.getContextObject(currentContext),
    config.getCurrentCluster(),
    config.getCurrentUser(),
  ];
  const listed = <One>(one: One | null): readonly One[] => (one === null ? [] : [one]);
  config.loadFromOptions({
    ...{ contexts: listed(context), clusters: listed(cluster), users: listed(user) },
    currentContext,
  });
  return config.exportConfig();
}
