import { readFileSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { load } from "js-yaml";
import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { fieldAt, isRecord } from "../../document/fields.ts";
import { errorCode, problemAt } from "../errno.ts";

/** Why a kubeconfig cannot be used, as a sentence without its end. */
export class KubeconfigProblem extends Error {}

/** The fields of a cluster or of a user in a kubeconfig. */
export type KubeconfigFields = Readonly<Record<string, unknown>>;

/** One context of kubeconfigs, with its cluster and its user; all paths are absolute. */
export interface KubeconfigContext {
  readonly name: string;
  readonly cluster: KubeconfigFields;
  readonly user: KubeconfigFields;
}

type Named = ReadonlyMap<string, KubeconfigFields>;

/** What one kubeconfig says, or several together. */
interface Kubeconfig {
  readonly current: string;
  readonly contexts: Named;
  readonly clusters: Named;
  readonly users: Named;
}

const NOTHING: Kubeconfig = { current: "", contexts: new Map(), clusters: new Map(), users: new Map() };

/**
 * The context of an address, by the rules of kubectl: of several files, the first with a name wins; absent and empty files
 * are skipped; paths are relative to their file. (client-node refuses a name in two files, stops at an absent file, and
 * leaves the paths of token files and programs relative to the process.) Throws KubeconfigProblem.
 *
 * https://pkg.go.dev/k8s.io/client-go/tools/clientcmd#ClientConfigLoadingRules
 */
export function readContext(
  address: Exclude<ControlPlaneAddress, { inCluster: true } | { embedded: true }>,
  variables: NodeJS.ProcessEnv,
): KubeconfigContext {
  const isListed = "context" in address;
  const files = isListed ? filesIn(variables) : [address.kubeconfig];
  const all = files.flatMap((file) => readFile(file, isListed) ?? []).reduce(merged, NOTHING);
  if (isListed && all.contexts.size === 0)
    throw new KubeconfigProblem(`no context is in ${files.join(", ") || "KUBECONFIG, which names no file"}`);
  const name = isListed ? address.context : all.current;
  const context = all.contexts.get(name);
  if (context === undefined) {
    const known = [...all.contexts.keys()].join(", ") || "none";
    throw new KubeconfigProblem(
      name === "" ? "it has no current-context" : `there is no context ${name}; there are: ${known}`,
    );
  }
  return {
    name,
    cluster: kubeconfigPart(all.clusters, "cluster", context),
    user: kubeconfigPart(all.users, "user", context),
  };
}

function filesIn({ KUBECONFIG = "", HOME = "" }: NodeJS.ProcessEnv): readonly string[] {
  if (KUBECONFIG === "") return [join(HOME, ".kube", "config")];
  return [...new Set(KUBECONFIG.split(delimiter).filter((file) => file !== ""))];
}

function merged(before: Kubeconfig, next: Kubeconfig): Kubeconfig {
  return {
    current: before.current || next.current,
    contexts: new Map([...next.contexts, ...before.contexts]),
    clusters: new Map([...next.clusters, ...before.clusters]),
    users: new Map([...next.users, ...before.users]),
  };
}

/** A context need not have a user, but one that it names must exist. */
function kubeconfigPart(parts: Named, what: "cluster" | "user", context: KubeconfigFields): KubeconfigFields {
  const name = textIn(context, what, "a context");
  const part = parts.get(name);
  // kubectl sends no credentials for a user that is missing.
  if (part !== undefined || name === "" || what === "user") return part ?? {};
  throw new KubeconfigProblem(`there is no ${what} ${name}, which the context names`);
}

/** `undefined`: the file may be absent, and is. */
function readFile(file: string, mayBeAbsent: boolean): Kubeconfig | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (mayBeAbsent && errorCode(error) === "ENOENT") return undefined;
    throw new KubeconfigProblem(problemAt(error));
  }
  return parseFile(text, file);
}

function parseFile(text: string, file: string): Kubeconfig {
  const content = yamlIn(text, file);
  if (!isRecord(content)) throw new KubeconfigProblem(`${file} is not a kubeconfig`);
  const { kind = "Config", apiVersion = "v1" } = content;
  if (kind !== "Config" || apiVersion !== "v1") throw new KubeconfigProblem(`${file} is of the kind ${String(kind)}`);
  const folder = dirname(resolve(file));
  return {
    current: textIn(content, "current-context", file),
    contexts: namedIn(content, "context", file),
    clusters: located(namedIn(content, "cluster", file), ["certificate-authority"], folder),
    users: located(namedIn(content, "user", file), ["client-certificate", "client-key", "tokenFile"], folder),
  };
}

function yamlIn(text: string, file: string): unknown {
  if (text.trim() === "") return {};
  try {
    return load(text, { json: true }) ?? {};
  } catch (error) {
    throw new KubeconfigProblem(`${file} is not YAML: ${problemAt(error)}`);
  }
}

/** The value of a text, which may be absent. */
export function textIn(fields: KubeconfigFields, name: string, place: string): string {
  const value = fields[name] ?? "";
  if (typeof value === "string") return value;
  throw new KubeconfigProblem(`${name} of ${place} is not a text`);
}

function namedIn(content: KubeconfigFields, what: "context" | "cluster" | "user", file: string): Named {
  const list = content[`${what}s`] ?? [];
  if (!Array.isArray(list)) throw new KubeconfigProblem(`${what}s of ${file} is not a list`);
  const named = new Map<string, KubeconfigFields>();
  for (const item of list as readonly unknown[]) {
    const fields = fieldAt(item, [what]) ?? {};
    if (!isRecord(item) || !isRecord(fields)) throw new KubeconfigProblem(`${file} has a ${what} without fields`);
    const name = textIn(item, "name", `a ${what} in ${file}`);
    if (named.has(name)) throw new KubeconfigProblem(`${file} has two ${what}s with the name "${name}"`);
    named.set(name, fields);
  }
  return named;
}

/** Makes paths absolute. A program without a slash is looked up on the PATH. */
function located(named: Named, paths: readonly string[], folder: string): Named {
  const absolute = (value: unknown): unknown =>
    typeof value === "string" && value !== "" && !isAbsolute(value) ? join(folder, value) : value;
  return new Map(
    [...named].map(([name, fields]) => {
      const { exec } = fields;
      const program = isRecord(exec) ? exec["command"] : undefined;
      const isPath = typeof program === "string" && program.includes("/");
      const own = paths.flatMap((path) => (path in fields ? [[path, absolute(fields[path])]] : []));
      const moved = isRecord(exec) && isPath ? { exec: { ...exec, command: absolute(program) } } : {};
      return [name, { ...fields, ...Object.fromEntries(own), ...moved }];
    }),
  );
}
