// Reads kubeconfigs in a thread that ends after its last question: client-node takes 60 MB, and a controller needs it once.
import { readFileSync } from "node:fs";
import type { RequestOptions as SecureOptions } from "node:https";
import { enableCompileCache } from "node:module";
import { isIPv6 } from "node:net";
import { parentPort } from "node:worker_threads";
import type { Cluster, KubeConfig, User } from "@kubernetes/client-node";
import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { fieldAt, isRecord, isTexts, listAt, textAt } from "../../document/fields.ts";
import { problemAt } from "../errno.ts";
import {
  type ClusterConnection,
  describeAddress,
  type KubeconfigAnswer,
  type KubeconfigQuestion,
  type KubeconfigReply,
} from "./kubeconfig.ts";
import { type KubeconfigContext, KubeconfigProblem, readContext } from "./kubeconfigFiles.ts";
import { refuseUnusable } from "./kubeconfigRules.ts";

enableCompileCache();
const client = await import("@kubernetes/client-node");

parentPort?.on("message", ({ id, ...question }: KubeconfigQuestion) => {
  void answer(question).then((reply) => {
    parentPort?.postMessage({ id, ...reply } satisfies KubeconfigAnswer);
  });
});

async function answer({ address, wants }: Omit<KubeconfigQuestion, "id">): Promise<KubeconfigReply> {
  let context: KubeconfigContext;
  try {
    context = "context" in address || "kubeconfig" in address ? readContext(address, process.env) : podContext();
    refuseUnusable(context);
  } catch (cause) {
    if (!(cause instanceof KubeconfigProblem)) throw cause;
    return { kind: "refused", code: "CONFIGURATION", message: unusableText(address, cause.message) };
  }
  if (wants === "text") return { kind: "text", text: contextText(context) };
  try {
    return { kind: "connection", connection: await kubeconfigConnection(context) };
  } catch (cause) {
    const message = `The credentials of the context ${context.name} cannot be read: ${problemAt(cause)}.`;
    return { kind: "refused", code: "CLUSTER_UNAUTHORIZED", message };
  }
}

function unusableText(address: ControlPlaneAddress, problem: string): string {
  const place = "context" in address ? "what KUBECONFIG names, or ~/.kube/config" : describeAddress(address);
  return `There is no usable kubeconfig for ${describeAddress(address)}: ${problem}. Check ${place}.`;
}

const ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

function podContext(): KubeconfigContext {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = process.env;
  if (host === "" || port === "") throw new KubeconfigProblem("inCluster works only for a program that runs in a pod");
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const cluster = { server, "certificate-authority": `${ACCOUNT}/ca.crt` };
  return { name: "inCluster", cluster, user: { tokenFile: `${ACCOUNT}/token` } };
}

/**
 * client-node gets one finished context, and signs in: with certificates, tokens, programs, OpenID Connect, providers. As
 * with kubectl, no credentials go over plain HTTP.
 */
async function kubeconfigConnection(context: KubeconfigContext): Promise<ClusterConnection> {
  const { name, cluster, user } = context;
  const server = kubeconfigServer(context);
  const isSecure = server.startsWith("https:");
  const config = new client.KubeConfig();
  const contexts = [{ name, cluster: name, user: name }];
  const one = {
    clusters: [kubeconfigCluster(context, server)],
    users: [isSecure ? kubeconfigUser(context) : { name }],
    contexts,
    currentContext: name,
  };
  config.loadFromOptions(one satisfies Parameters<KubeConfig["loadFromOptions"]>[0]);
  const options: SecureOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername } = options;
  const tls = Object.entries({ ca, cert, key, pfx, passphrase, rejectUnauthorized, servername });
  return {
    server,
    proxy: textAt(cluster, ["proxy-url"]) ?? "",
    tls: Object.fromEntries(tls.filter(([, value]) => value !== undefined)),
    headers: { ...secureHeaders(options), ...impersonation(context) },
    isTemporary: Boolean(user["exec"] ?? user["auth-provider"] ?? user["tokenFile"]),
  };
}

/** As with kubectl, a server without a scheme speaks plain HTTP. */
function kubeconfigServer({ cluster }: KubeconfigContext): string {
  const server = textAt(cluster, ["server"]) ?? "";
  return server.includes("://") ? server : `http://${server}`;
}

function kubeconfigCluster({ name, cluster }: KubeconfigContext, server: string): Cluster {
  return present<Cluster>({
    ...{ name, server },
    // client-node takes plain HTTP only from those who waive TLS.
    skipTLSVerify: cluster["insecure-skip-tls-verify"] === true || server.startsWith("http:"),
    caFile: textAt(cluster, ["certificate-authority"]),
    caData: textAt(cluster, ["certificate-authority-data"]),
    tlsServerName: textAt(cluster, ["tls-server-name"]),
  });
}

function kubeconfigUser(context: KubeconfigContext): User {
  const { name, user } = context;
  const text = (field: string): string | undefined => textAt(user, [field]);
  const token = kubeconfigToken(context);
  const isSaid = token !== undefined || text("username") !== undefined;
  return present<User>({
    name,
    ...{ certFile: text("client-certificate"), certData: text("client-certificate-data") },
    ...{ keyFile: text("client-key"), keyData: text("client-key-data") },
    ...{ token, username: text("username"), password: text("password") },
    // A program is not asked for what the kubeconfig says.
    exec: isSaid ? undefined : kubeconfigExec(context),
    authProvider: isSaid ? undefined : user["auth-provider"],
  });
}

function present<Whole>(fields: { readonly [Name in keyof Whole]: unknown }): Whole {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Whole;
}

/** A token file comes before a token, which is what it had when it was first read. */
function kubeconfigToken({ user }: KubeconfigContext): string | undefined {
  const token = textAt(user, ["token"]);
  const file = textAt(user, ["tokenFile"]);
  if (file === undefined) return token;
  try {
    const content = readFileSync(file, "utf8").trim();
    if (content === "" && token === undefined) throw new Error(`the token file ${file} is empty`);
    return content || token;
  } catch (error) {
    if (token === undefined) throw error;
    return token;
  }
}

/** A program with what client-go tells it, which client-node does not. */
function kubeconfigExec({ cluster, user }: KubeconfigContext): unknown {
  const { exec } = user;
  if (!isRecord(exec)) return undefined;
  const file = textAt(cluster, ["certificate-authority"]);
  const authority: unknown =
    file === undefined ? cluster["certificate-authority-data"] : readFileSync(file).toString("base64");
  const told = ["server", "tls-server-name", "insecure-skip-tls-verify", "proxy-url"].filter(
    (name) => cluster[name] !== undefined,
  );
  const extension: unknown = listAt(cluster, ["extensions"]).find((one) => textAt(one, ["name"]) === EXEC_EXTENSION);
  const config: unknown = fieldAt(extension, ["extension"]);
  const info = {
    ...{ kind: "ExecCredential", apiVersion: exec["apiVersion"] },
    spec: {
      ...(exec["provideClusterInfo"] === true && {
        cluster: {
          ...Object.fromEntries(told.map((name) => [name, cluster[name]])),
          "certificate-authority-data": authority,
          config,
        },
      }),
      interactive: false,
    },
  };
  const env: readonly unknown[] = [
    ...listAt(exec, ["env"]),
    { name: "KUBERNETES_EXEC_INFO", value: JSON.stringify(info) },
  ];
  return { ...exec, env };
}

const EXEC_EXTENSION = "client.authentication.k8s.io/exec";

function secureHeaders({ headers, auth }: SecureOptions): ClusterConnection["headers"] {
  const basic =
    auth === undefined || auth === null ? {} : { Authorization: `Basic ${Buffer.from(auth).toString("base64")}` };
  return {
    ...basic,
    ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])),
  };
}

/** In whose name the user asks. */
function impersonation({ user }: KubeconfigContext): ClusterConnection["headers"] {
  const name = textAt(user, ["as"]);
  if (name === undefined) return {};
  const [uid, groups, extra] = [textAt(user, ["as-uid"]), user["as-groups"], user["as-user-extra"]];
  const extras = Object.entries(isRecord(extra) ? extra : {}).flatMap(([name, values]) =>
    isTexts(values) ? [[`Impersonate-Extra-${encodeURIComponent(name)}`, [...values]] as const] : [],
  );
  return {
    "Impersonate-User": name,
    ...(uid !== undefined && { "Impersonate-Uid": uid }),
    ...(isTexts(groups) && groups.length > 0 && { "Impersonate-Group": [...groups] }),
    ...Object.fromEntries(extras),
  };
}

/** The context alone, as a kubeconfig. */
function contextText({ name, cluster, user }: KubeconfigContext): string {
  return JSON.stringify({
    ...{ apiVersion: "v1", kind: "Config", "current-context": name },
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster }],
    users: [{ name, user }],
  });
}
