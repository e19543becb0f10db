import {
  FIELD_MANAGER,
  RESOURCES,
  type Expected,
  type KubernetesObject,
  type ObjectRef,
  type Resource,
} from "../../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run, type ListPage } from "../../ports.ts";
import type { Access } from "./access.ts";
import { request, type ApiRequest, type Response } from "./request.ts";
import { asObject, kindMissing, pathOf, asListed, selecting } from "./resource.ts";
import { watch } from "./watch.ts";

/** An apply with this version creates a missing object, and conflicts with any that exists: no object has it. */
const IMPOSSIBLE_VERSION = "1";

/** The API server behind `access` as the port `ControlPlane`. */
export function controlPlane(access: Access): ControlPlane {
  return {
    server: access.server,
    list: (resource, namespace, run) => list(access, resource, namespace, run),
    watch: (resource, namespace, from, run) => watch(access, { resource, namespace, from }, run),
    knows: (resource, run) => knows(access, resource, run),
    read: async (ref, run) => {
      const what: ApiRequest = { method: "GET", path: pathTo(ref), subject: subjectOf(ref), ...urgency(ref) };
      const { status, body } = await request(access, what, [404], run);
      return status === 404 ? undefined : asObject(body, ref.resource);
    },
    apply: async (desired, expected, run) => {
      const ref = refOf(desired);
      // Server-side apply refuses fields that the schema does not know by itself. Strict validation on top of it finds no
      // more in JSON without duplicate keys, and parses the body once more: a fifth of the server's time for an object.
      const query = `?fieldManager=${FIELD_MANAGER}&force=true&fieldValidation=Ignore`;
      const content = { ...desired, metadata: { ...desired.metadata, ...identityOf(expected) } };
      const what = patch(ref, query, "application/apply-patch+yaml", content);
      const { status, body } = await request(access, what, [404], run);
      if (status === 404) throw missing(access, ref, body);
      return asListed(body, ref.resource);
    },
    moveOwnership: async (ref, expected, managedFields, run) => {
      const content = { metadata: { ...identityOf(expected), managedFields } };
      const what = patch(ref, `?fieldManager=${FIELD_MANAGER}`, "application/merge-patch+json", content);
      const { status, body } = await request(access, what, [404], run);
      if (status === 404) throw new Fault("CLUSTER_CONFLICT", `${subjectOf(ref)}: it is gone`);
      return asObject(body, ref.resource);
    },
    remove: (ref, expected, blocker, run) => remove(access, ref, expected, blocker, run),
  };
}

function patch(ref: ObjectRef, query: string, contentType: string, content: object): ApiRequest {
  const path = pathTo(ref) + query;
  return {
    method: "PATCH",
    path,
    subject: subjectOf(ref),
    contentType,
    body: JSON.stringify(content),
    ...urgency(ref),
  };
}

/** A Lease is renewed also while an API server holds back everything else, or another process would begin to write. */
function urgency({ resource }: ObjectRef): Pick<ApiRequest, "isUrgent"> {
  return { isUrgent: resource.plural === RESOURCES.lease.plural };
}

function pathTo({ resource, namespace, name }: ObjectRef): string {
  return pathOf(resource, namespace, name);
}

async function remove(...[access, ref, expected, blocker, run]: RemoveArguments): Promise<string | undefined> {
  const preconditions = expected === "absent" ? undefined : expected;
  const beforeRepeating = async (): Promise<void> => {
    const because = await blocker();
    if (because !== undefined) throw new Kept("CLUSTER_CONFLICT", because);
  };
  const what: ApiRequest = {
    method: "DELETE",
    path: pathTo(ref),
    subject: subjectOf(ref),
    contentType: "application/json",
    body: JSON.stringify({ kind: "DeleteOptions", apiVersion: "v1", preconditions }),
    beforeRepeating,
  };
  try {
    await beforeRepeating();
    await request(access, what, [404], run);
    return undefined;
  } catch (error) {
    if (error instanceof Kept) return error.message;
    throw error;
  }
}

type RemoveArguments = [access: Access, ...Parameters<ControlPlane["remove"]>];

/** Ends a DELETE that may no longer be sent. */
class Kept extends Fault {}

/** Asks discovery, which knows every version of a group. */
async function knows(access: Access, { apiVersion, plural }: Resource, run: Run): Promise<boolean> {
  const group = apiVersion.slice(0, apiVersion.indexOf("/"));
  const subject = `the kinds of ${group}`;
  const get = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
    const { body } = await request(access, { method: "GET", path, subject }, [], run);
    return (body ?? {}) as Readonly<Record<string, unknown>>;
  };
  const { kind, groups } = await get("/apis");
  if (kind !== "APIGroupList" || !Array.isArray(groups))
    throw new Fault("CLUSTER_REFUSED", `${subject}: the server at ${access.server} does not list its kinds.`);
  const found = (groups as readonly ApiGroup[]).find(({ name }) => name === group);
  for (const { groupVersion } of found?.versions ?? []) {
    const { resources = [] } = (await get(`/apis/${groupVersion}`)) as {
      readonly resources?: readonly { name: string }[];
    };
    if (resources.some(({ name }) => name === plural)) return true;
  }
  return false;
}

interface ApiGroup {
  readonly name: string;
  readonly versions?: readonly { readonly groupVersion: string }[];
}

function identityOf(expected: Expected): Partial<Exclude<Expected, "absent">> {
  return expected === "absent" ? { resourceVersion: IMPOSSIBLE_VERSION } : expected;
}

function refOf(object: KubernetesObject): ObjectRef {
  const { name, namespace = "" } = object.metadata;
  const plural = `${object.kind.toLowerCase()}s`;
  return { resource: { apiVersion: object.apiVersion, kind: object.kind, plural }, namespace, name };
}

function subjectOf({ resource, name }: ObjectRef): string {
  return `${resource.kind} ${name}`;
}

function missing(access: Access, ref: ObjectRef, body: unknown): Fault {
  // Of a kind that it does not know, the API server says so in plain text.
  const { details } = (body ?? {}) as { readonly details?: { readonly kind?: string } };
  return details?.kind === "namespaces"
    ? new Fault(
        "CLUSTER_REFUSED",
        `${subjectOf(ref)}: ${access.server} has no namespace ${ref.namespace}. Create it, or correct kyma-modules.yaml.`,
      )
    : kindMissing(access, ref.resource);
}

/** Objects a page: 500 ModuleTemplates are about 2 MB. */
const PAGE = 500;
const SMALLEST_PAGE = 25;

/** All objects of a namespace, as the port `ControlPlane` gives them. */
async function* list(access: Access, resource: Resource, namespace: string, run: Run): AsyncGenerator<ListPage> {
  const subject = `the ${resource.plural} in ${namespace}`;
  let limit = PAGE;
  let first: string | undefined;
  for (let token: string | undefined = ""; token !== undefined;) {
    const query = new URLSearchParams({
      ...selecting(resource),
      limit: String(limit),
      ...(token !== "" && { continue: token }),
    });
    const what: ApiRequest = { method: "GET", path: `${pathOf(resource, namespace)}?${query.toString()}`, subject };
    const response = await requestPage(access, { ...what, repeat: limit > SMALLEST_PAGE ? "page" : "safe" }, run);
    if (response === "too slow") {
      limit = Math.max(SMALLEST_PAGE, Math.floor(limit / 2));
      continue;
    }
    if (response.status === 404) throw kindMissing(access, resource);
    const { items, resourceVersion, next } = pageOf(response);
    // That of the first page, for all: after a 410 the rest is newer than the beginning, and a watch from there would
    // miss what changed in the beginning. From the first one, some changes come again.
    first ??= resourceVersion;
    // 410: the list grew too old between two pages. The answer brings a token with which the rest can still be read;
    // what moved meanwhile answers 409 when it is written. Half a list would look like objects that are gone.
    if (items !== undefined) yield { objects: items.map((item) => asListed(item, resource)), resourceVersion: first };
    else if (next === undefined) throw new Fault("CLUSTER_BUSY", `${subject}: the list changed too fast. Try again.`);
    token = next;
  }
}

/** One page. A slow line, or a server under load, may bring half of it in time. */
async function requestPage(access: Access, what: ApiRequest, run: Run): Promise<Response | "too slow"> {
  try {
    return await request(access, what, [404, 410], run);
  } catch (error) {
    if (error instanceof Fault && error.code === "CLUSTER_TIMEOUT" && what.repeat === "page") return "too slow";
    throw error;
  }
}

interface AnsweredPage {
  readonly items: readonly KubernetesObject[] | undefined;
  readonly resourceVersion: string;
  readonly next: string | undefined;
}

function pageOf({ body }: Response): AnsweredPage {
  const { items, metadata } = body as {
    readonly items?: readonly KubernetesObject[];
    readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  };
  const { resourceVersion = "", continue: next = "" } = metadata ?? {};
  return { items, resourceVersion, next: next === "" ? undefined : next };
}
