import { accessSync, constants } from "node:fs";
import { isRecord, isTexts, listAt, textAt } from "../../document/fields.ts";
import { type KubeconfigContext, type KubeconfigFields, KubeconfigProblem, textIn } from "./kubeconfigFiles.ts";

const CLUSTER_TEXTS = ["server", "tls-server-name", "certificate-authority", "certificate-authority-data", "proxy-url"];
const USER_TEXTS = [
  ...["client-certificate", "client-certificate-data", "client-key", "client-key-data"],
  ...["token", "tokenFile", "username", "password", "as", "as-uid"],
];

/**
 * Throws KubeconfigProblem for a context that kubectl refuses, by its rules.
 *
 * https://github.com/kubernetes/client-go/blob/v0.36.0/tools/clientcmd/validation.go
 */
export function refuseUnusable({ cluster, user }: KubeconfigContext): void {
  const [ofCluster, ofUser] = [textsIn(cluster, CLUSTER_TEXTS, "the cluster"), textsIn(user, USER_TEXTS, "the user")];
  refuseCluster(cluster, ofCluster);
  refuseCertificate(ofUser);
  refuseUser(user, ofUser);
  if (user["exec"] !== undefined && user["exec"] !== null) refuseProgram(user);
}

/** A function that gives the texts with these names; empty for an absent one. */
function textsIn(fields: KubeconfigFields, names: readonly string[], place: string): (name: string) => string {
  const texts = new Map(names.map((name) => [name, textIn(fields, name, place)]));
  for (const [name, text] of texts)
    if (name.endsWith("-data") && !isBase64(text)) throw new KubeconfigProblem(`${name} of ${place} is not base64`);
  return (name) => texts.get(name) ?? "";
}

function isBase64(text: string): boolean {
  const packed = text.replaceAll(/[\r\n]/g, "");
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
}

/** Whether a server is an address, or a host and port. */
function isServer(server: string): boolean {
  const address = server.includes("://") ? server : `https://${server}`;
  return /^https?:\/\/[^/]/.test(address) && URL.canParse(address);
}

function refuseCluster(cluster: KubeconfigFields, text: (name: string) => string): void {
  const server = text("server");
  if (server === "") throw new KubeconfigProblem("the cluster has no server");
  if (!isServer(server)) throw new KubeconfigProblem(`the server ${server} is not an address`);
  refuseBoth("certificate-authority", text);
  refuseUnreadable("certificate-authority", text);
  const hasAuthority = text("certificate-authority") + text("certificate-authority-data") !== "";
  if (cluster["insecure-skip-tls-verify"] === true && hasAuthority && !server.startsWith("http:"))
    throw new KubeconfigProblem("the cluster has a certificate authority, and insecure-skip-tls-verify ignores it");
}

function refuseBoth(name: string, text: (name: string) => string): void {
  if (text(name) !== "" && text(`${name}-data`) !== "")
    throw new KubeconfigProblem(`${name} and ${name}-data are both set`);
}

function refuseUnreadable(name: string, text: (name: string) => string): void {
  const file = text(name);
  if (file === "") return;
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new KubeconfigProblem(`${name}: ${file} cannot be read`);
  }
}

function refuseCertificate(text: (name: string) => string): void {
  const has = (name: string): boolean => text(name) + text(`${name}-data`) !== "";
  if (!has("client-certificate")) return;
  for (const name of ["client-certificate", "client-key"]) refuseBoth(name, text);
  if (!has("client-key")) throw new KubeconfigProblem("the client-certificate has no client-key");
  for (const name of ["client-certificate", "client-key"]) refuseUnreadable(name, text);
}

function refuseUser(user: KubeconfigFields, text: (name: string) => string): void {
  const isBasic = text("username") + text("password") !== "";
  if (isBasic && text("token") !== "") throw new KubeconfigProblem("the user has a token and a password");
  const impersonated = [text("as-uid") !== "", listAt(user, ["as-groups"]).length > 0, isRecord(user["as-user-extra"])];
  if (text("as") === "" && impersonated.includes(true))
    throw new KubeconfigProblem("as-groups, as-uid and as-user-extra need as");
  if (!isTexts(user["as-groups"] ?? [])) throw new KubeconfigProblem("as-groups is not a list of texts");
}

const VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

function refuseProgram({ exec, "auth-provider": provider }: KubeconfigFields): void {
  if (isRecord(provider)) throw new KubeconfigProblem("the user has a program and an auth-provider");
  for (const name of ["command", "apiVersion"])
    if (textAt(exec, [name]) === undefined) throw new KubeconfigProblem(`the program of the user has no ${name}`);
  if (listAt(exec, ["env"]).some((one) => textAt(one, ["name"]) === undefined))
    throw new KubeconfigProblem("a variable of the program has no name");
  const version = VERSIONS.indexOf(textAt(exec, ["apiVersion"]) ?? "");
  if (version === -1) throw new KubeconfigProblem(`the apiVersion of the program is none of ${VERSIONS.join(", ")}`);
  const mode = textAt(exec, ["interactiveMode"]) ?? ["", "IfAvailable"][version] ?? "";
  // There is no terminal for it.
  if (!["Never", "IfAvailable"].includes(mode))
    throw new KubeconfigProblem(`the interactiveMode of the program is "${mode}", not Never or IfAvailable`);
}
