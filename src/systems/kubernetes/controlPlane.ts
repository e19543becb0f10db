import { textAt } from "../../document/fields.ts";
import {
  FIELD_MANAGER,
  RESOURCES,
  type Expected,
  type KubernetesObject,
  type ObjectRef,
} from "../../kubernetes/object.ts";
import { Fault, type ControlPlane } from "../../ports.ts";
import type { Access } from "./access.ts";
import { knows } from "./discovery.ts";
import { list } from "./list.ts";
import { request, type ApiRequest, type JsonRequest } from "./request.ts";
import { isDeletion, kindMissing, parseListed, parseObject, resourcePath } from "./resource.ts";
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
      const what: ApiRequest = { method: "GET", path: pathTo(ref), subject: objectRefText(ref), ...urgency(ref) };
      return (await request(access, { ...what, parse: (body) => parseObject(body, ref) }, [404], run)).found;
    },
    apply: async (desired, expected, run) => {
      access.skew.refuse(access.server);
      const ref = objectRef(desired);
      // Server-side apply refuses fields that the schema does not know by itself. Strict validation on top of it finds no
      // more in JSON without duplicate keys, and parses the body once more: a fifth of the server's time for an object.
      const query = `?fieldManager=${FIELD_MANAGER}&force=true&fieldValidation=Ignore`;
      const content = { ...desired, metadata: { ...desired.metadata, ...expectedIdentity(expected) } };
      const what = patch(ref, query, "application/apply-patch+yaml", content);
      const parse = (body: unknown): KubernetesObject | undefined =>
        parseListed(body, { ...ref.resource, only: ref.name }, ref.namespace);
      const { found, body } = await request(access, { ...what, parse }, [404], run);
      if (found === undefined) throw missing(access, ref, body);
      return found;
    },
    moveOwnership: async (ref, expected, managedFields, run) => {
      access.skew.refuse(access.server);
      const content = { metadata: { ...expectedIdentity(expected), managedFields } };
      const what = patch(ref, `?fieldManager=${FIELD_MANAGER}`, "application/merge-patch+json", content);
      const { found } = await request(access, { ...what, parse: (body) => parseObject(body, ref) }, [404], run);
      if (found === undefined) throw new Fault("CLUSTER_CONFLICT", `${objectRefText(ref)}: it is gone`);
      return found;
    },
    remove: async (ref, expected, blocker, run) => {
      access.skew.refuse(access.server);
      return remove(access, ref, expected, blocker, run);
    },
  };
}

function patch(ref: ObjectRef, query: string, contentType: string, content: object): ApiRequest {
  const path = pathTo(ref) + query;
  return {
    method: "PATCH",
    path,
    subject: objectRefText(ref),
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
  return resourcePath(resource, namespace, name);
}

async function remove(...[access, ref, expected, blocker, run]: RemoveArguments): Promise<string | undefined> {
  const preconditions = expected === "absent" ? undefined : expected;
  const beforeRepeating = async (): Promise<void> => {
    const because = await blocker();
    if (because !== undefined) throw new Kept("CLUSTER_CONFLICT", because);
  };
  const what: JsonRequest<true> = {
    method: "DELETE",
    path: pathTo(ref),
    subject: objectRefText(ref),
    contentType: "application/json",
    body: JSON.stringify({ kind: "DeleteOptions", apiVersion: "v1", preconditions }),
    parse: (body) => isDeletion(body, ref) || undefined,
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

function expectedIdentity(expected: Expected): Partial<Exclude<Expected, "absent">> {
  return expected === "absent" ? { resourceVersion: IMPOSSIBLE_VERSION } : expected;
}

function objectRef(object: KubernetesObject): ObjectRef {
  const { name, namespace = "" } = object.metadata;
  const plural = `${object.kind.toLowerCase()}s`;
  return { resource: { apiVersion: object.apiVersion, kind: object.kind, plural }, namespace, name };
}

function objectRefText({ resource, name }: ObjectRef): string {
  return `${resource.kind} ${name}`;
}

function missing(access: Access, ref: ObjectRef, body: unknown): Fault {
  // Of a kind that it does not know, the API server says so in plain text.
  return textAt(body, ["details", "kind"]) === "namespaces"
    ? new Fault(
        "CLUSTER_REFUSED",
        `${objectRefText(ref)}: ${access.server} has no namespace ${ref.namespace}. Create it, or correct kyma-modules.yaml.`,
      )
    : kindMissing(access, ref.resource);
}
