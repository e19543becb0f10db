import { textAt } from "../../document/fields.ts";
import { FIELD_MANAGER, type KubernetesObject, type ObjectRef, type Resource } from "../../kubernetes/object.ts";
import { statusCauses } from "../../kubernetes/validation.ts";
import { type Cluster, Fault, type ApplyRefusal, type Run, type WriteAnswer } from "../../ports.ts";
import type { Access } from "./access.ts";
import { Discovery } from "./discovery.ts";
import { list } from "./list.ts";
import { get, request, requestText, type ApiRequest, type JsonRequest, type Response } from "./request.ts";
import { isDeletion, parseObject, resourcePath } from "./resource.ts";

/** The field manager for changes in the name of users. */
const USER = "kyma-modules-user";
const NODE: Resource = { apiVersion: "v1", kind: "Node", plural: "nodes" };
/** Maximum of log lines to read: the last lines tell why a container ended. */
const LOG_LINES = 20;

/** Status codes that concern the object. A 500 does only if `BLAMING` matches; a 401 concerns the credentials. */
const JUDGED = [400, 403, 404, 405, 409, 413, 415, 422, 500];
/** Timeout for writes: a webhook may take 30 s. */
const WEBHOOK_MS = 35_000;
/** Server errors that an object or a webhook caused. */
const BLAMING = /field not declared in schema|failed to create typed patch object|webhook/;

/** The API server behind `access` as the port `Cluster`. */
export function openCluster(access: Access): Cluster {
  const discovery = new Discovery(access);
  return {
    server: access.server,
    version: async (run) => {
      const parse = (body: unknown): string | undefined => textAt(body, ["gitVersion"]);
      return (await get(access, { path: "/version", subject: "the version", parse }, run)).replace(/^v/, "");
    },
    kinds: (run) => discovery.kinds(run),
    kindOf: (apiVersion, kind, run) => discovery.kindOf(apiVersion, kind, run),
    read: async (ref, run) => {
      const what = { method: "GET", path: pathTo(ref), subject: clusterObjectText(ref) } as const;
      const answer = await send(access, { ...what, parse: (body) => parseObject(body, ref) }, run);
      if (answer.found !== undefined || answer.status === 404 || answer.status === 405) return answer.found;
      throw refused(ref, answer);
    },
    list: (resource, namespace, run) => listAll(access, resource, namespace, run),
    log: (pod, container, isPrevious, run) => readLog(access, pod, container, isPrevious, run),
    podMemory: (run) => podMemory(access, run),
    finalize: (name, run) => finalize(access, name, run),
    ...writes(access, discovery),
  };
}

type Writes = Pick<Cluster, "apply" | "patch" | "patchStatus" | "remove">;

function writes(access: Access, discovery: Discovery): Writes {
  const write = <Found>(
    method: "PATCH" | "DELETE",
    ref: ObjectRef,
    what: Written<Found>,
    run: Run,
  ): Promise<Response<Found>> => {
    const { path, type = "application/json", content, parse } = what;
    const body = JSON.stringify(content);
    return send(access, { method, path, contentType: type, body, subject: clusterObjectText(ref), parse }, run);
  };
  const patched = (ref: ObjectRef, path: string, type: string, content: object, isTrial: boolean) => ({
    ...{ path, type: `application/${type}-patch+${type === "apply" ? "yaml" : "json"}`, content },
    parse: (body: unknown) => parseObject(body, ref, isTrial),
  });
  return {
    apply: (object, { isTrial }, run) =>
      place(discovery, object, run, (ref) => {
        const path = `${pathTo(ref)}?fieldManager=${FIELD_MANAGER}&force=true&fieldValidation=Strict${trial(isTrial)}`;
        return write("PATCH", ref, patched(ref, path, "apply", object, isTrial), run);
      }),
    patch: async (ref, content, { isTrial }, run) => {
      const path = `${pathTo(ref)}?fieldManager=${USER}&fieldValidation=Strict${trial(isTrial)}`;
      return writeAnswer(await write("PATCH", ref, patched(ref, path, "merge", content, isTrial), run));
    },
    patchStatus: async (ref, status, run) => {
      const path = `${pathTo(ref)}/status?fieldManager=${USER}`;
      const answer = await write("PATCH", ref, patched(ref, path, "merge", { status }, false), run);
      if (answer.found === undefined && answer.status !== 404) throw refused(ref, answer);
    },
    remove: async (ref, run) => {
      const content = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" };
      const parse = (body: unknown): true | undefined => isDeletion(body, ref) || undefined;
      const { status, found, body } = await write("DELETE", ref, { path: pathTo(ref), content, parse }, run);
      return found === true || status === 404 ? undefined : refusalIn(status, body);
    },
  };
}

interface Written<Found> extends Pick<JsonRequest<Found>, "path" | "parse"> {
  readonly type?: string;
  readonly content: object;
}

function send<Found>(access: Access, what: JsonRequest<Found>, run: Run): Promise<Response<Found>> {
  return request(access, { final: BLAMING, firstByteMs: WEBHOOK_MS, ...what }, JUDGED, run);
}

function trial(isTrial: boolean): string {
  return isTrial ? "&dryRun=All" : "";
}

/** Sends an object to the path of its kind from discovery; refuses a kind that is not served, as the server would. */
async function place(
  discovery: Discovery,
  object: KubernetesObject,
  run: Run,
  ask: (ref: ObjectRef) => Promise<Response<KubernetesObject>>,
): Promise<WriteAnswer> {
  const { apiVersion, kind, metadata } = object;
  const resource = await discovery.kindOf(apiVersion, kind, run);
  if (resource === undefined) {
    const message = `the API server does not know the kind ${kind} (${apiVersion})`;
    return { kind: "refused", status: 404, message, causes: [] };
  }
  const namespace = resource.namespaced ? (metadata.namespace ?? "default") : "";
  return writeAnswer(await ask({ resource, namespace, name: metadata.name }));
}

function writeAnswer({ status, found, body }: Response<KubernetesObject>): WriteAnswer {
  return found === undefined ? refusalIn(status, body) : { kind: "accepted", object: found };
}

function refused(ref: ObjectRef, { status, body }: Response<unknown>): Fault {
  return new Fault("CLUSTER_REFUSED", `${clusterObjectText(ref)}: ${refusalIn(status, body).message}`);
}

function refusalIn(status: number, body: unknown): ApplyRefusal {
  const message = textAt(body, ["message"]) ?? `it answered ${status}`;
  return { kind: "refused", status, message, causes: statusCauses(body) };
}

function pathTo({ resource, namespace, name }: ObjectRef): string {
  return resourcePath(resource, namespace, encodeURIComponent(name));
}

function clusterObjectText({ resource, namespace, name }: ObjectRef): string {
  return `${resource.kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}

/** The objects of a kind; none if it is not served or cannot be listed. */
async function listAll(
  access: Access,
  resource: Resource,
  namespace: string | undefined,
  run: Run,
): Promise<readonly KubernetesObject[]> {
  try {
    const pages = await Array.fromAsync(list(access, resource, namespace ?? "", run));
    return pages.flatMap(({ objects }) => objects);
  } catch (error) {
    if (error instanceof Fault && error.code === "CLUSTER_KIND_MISSING") return [];
    throw error;
  }
}

async function readLog(
  access: Access,
  pod: ObjectRef,
  container: string,
  isPrevious: boolean,
  run: Run,
): Promise<string> {
  const query = new URLSearchParams({ container, tailLines: String(LOG_LINES), previous: String(isPrevious) });
  const path = `${pathTo(pod)}/log?${query.toString()}`;
  const what: ApiRequest = { method: "GET", path, subject: `the log of ${clusterObjectText(pod)}` };
  const { status, text } = await requestText(access, { ...what, final: /./ }, [400, 404, 406, 500], run);
  // For a container that is gone, kubelet returns this message in place of the log.
  return status < 300 && !text.startsWith("unable to retrieve container logs") ? text.trim() : "";
}

/** Reads memory from the kubelets through the API server, as a metrics server does; needs no metrics server. */
async function podMemory(access: Access, run: Run): Promise<ReadonlyMap<string, number> | undefined> {
  let memory: Map<string, number> | undefined;
  const nodes = await listAll(access, NODE, undefined, run);
  for (const { metadata } of nodes) {
    const path = `${resourcePath(NODE, "", encodeURIComponent(metadata.name))}/proxy/metrics/resource`;
    const what: ApiRequest = { method: "GET", path, subject: `the metrics of Node ${metadata.name}` };
    const { status, text } = await requestText(access, { ...what, final: /./ }, [403, 404, 500, 502, 503], run);
    if (status >= 300) continue;
    memory ??= new Map();
    const told = text.matchAll(/^pod_memory_working_set_bytes\{(.*?)\} (\S+)/gm);
    for (const [, labels = "", bytes] of told) {
      const label = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(labels)?.[1] ?? "";
      memory.set(`${label("namespace")}/${label("pod")}`, Number(bytes));
    }
  }
  return memory;
}

async function finalize(access: Access, name: string, run: Run): Promise<void> {
  const resource = { apiVersion: "v1", kind: "Namespace", plural: "namespaces" };
  const body = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name }, spec: { finalizers: [] } });
  const path = `/api/v1/namespaces/${encodeURIComponent(name)}/finalize`;
  const parse = (answer: unknown): KubernetesObject | undefined =>
    parseObject(answer, { resource, namespace: "", name });
  const what = {
    method: "PUT",
    path,
    contentType: "application/json",
    body,
    subject: `Namespace ${name}`,
    parse,
  } as const;
  await request(access, what, [404, 409], run);
}
