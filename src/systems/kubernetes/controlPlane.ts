import {
  FIELD_MANAGER,
  type Expected,
  type KubernetesObject,
  type ObjectRef,
  type Resource,
} from "../../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run } from "../../ports.ts";
import type { Access } from "./access.ts";
import { request, type Response } from "./request.ts";

/** Objects a page: 500 ModuleTemplates are about 2 MB. */
const PAGE = 500;
/** An apply with this version creates a missing object, and conflicts with any that exists: no object has it. */
const IMPOSSIBLE_VERSION = "1";

/** The API server behind `access` as the port `ControlPlane`. */
export function controlPlane(access: Access): ControlPlane {
  const call =
    (method: "GET" | "PATCH" | "DELETE", ref: ObjectRef, query: string, content?: Content, accepted: number[] = []) =>
    async (run: Run): Promise<Response> =>
      request(
        access,
        { method, path: pathOf(ref.resource, ref.namespace, ref.name) + query, subject: subjectOf(ref), ...content },
        accepted,
        run,
      );
  return {
    server: access.server,
    list: (resource, namespace, run) => list(access, resource, namespace, run),
    read: async (ref, run) => {
      const { status, body } = await call("GET", ref, "", undefined, [404])(run);
      return status === 404 ? undefined : asObject(body, ref.resource);
    },
    apply: async (desired, expected, run) => {
      const ref = refOf(desired);
      const content = {
        contentType: "application/apply-patch+yaml",
        body: JSON.stringify(expecting(desired, expected)),
      };
      // Server-side apply refuses fields that the schema does not know by itself. Strict validation on top of it finds no
      // more in JSON without duplicate keys, and parses the body once more: a fifth of the server's time for an object.
      const query = `?fieldManager=${FIELD_MANAGER}&force=true&fieldValidation=Ignore`;
      const { status, body } = await call("PATCH", ref, query, content, [404])(run);
      if (status === 404) throw missing(access, ref, body);
      return asObject(body, ref.resource);
    },
    moveOwnership: async (ref, expected, managedFields, run) => {
      const content = {
        contentType: "application/merge-patch+json",
        body: JSON.stringify({ metadata: { ...identityOf(expected), managedFields } }),
      };
      const { status, body } = await call("PATCH", ref, `?fieldManager=${FIELD_MANAGER}`, content, [404])(run);
      if (status === 404) throw new Fault("CLUSTER_CONFLICT", `${subjectOf(ref)}: it is gone`);
      return asObject(body, ref.resource);
    },
    remove: async (ref, expected, run) => {
      const preconditions = expected === "absent" ? undefined : expected;
      const content = {
        contentType: "application/json",
        body: JSON.stringify({ kind: "DeleteOptions", apiVersion: "v1", preconditions }),
      };
      await call("DELETE", ref, "", content, [404])(run);
    },
  };
}

interface Content {
  readonly contentType: string;
  readonly body: string;
}

async function* list(
  access: Access,
  resource: Resource,
  namespace: string,
  run: Run,
): AsyncGenerator<readonly KubernetesObject[]> {
  const subject = `the ${resource.plural} in ${namespace}`;
  for (let token: string | undefined = ""; token !== undefined;) {
    const path = `${pathOf(resource, namespace)}?limit=${PAGE}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
    const { status, body } = await request(access, { method: "GET", path, subject }, [404, 410], run);
    if (status === 404) throw kindMissing(access, resource);
    const page = body as {
      readonly items?: readonly KubernetesObject[];
      readonly metadata?: { readonly continue?: string };
    };
    const next = page.metadata?.continue === "" ? undefined : page.metadata?.continue;
    // 410: the list grew too old between two pages. The answer brings a token with which the rest can still be read;
    // what moved meanwhile answers 409 when it is written. Half a list would look like objects that are gone.
    if (page.items !== undefined) yield page.items.map((item) => asObject(item, resource));
    else if (next === undefined) throw new Fault("CLUSTER_BUSY", `${subject}: the list changed too fast. Try again.`);
    token = next;
  }
}

/** Objects of a list carry neither `apiVersion` nor `kind`. */
function asObject(body: unknown, { apiVersion, kind }: Resource): KubernetesObject {
  return { ...(body as KubernetesObject), apiVersion, kind };
}

function expecting(desired: KubernetesObject, expected: Expected): KubernetesObject {
  return { ...desired, metadata: { ...desired.metadata, ...identityOf(expected) } };
}

function identityOf(expected: Expected): Partial<Exclude<Expected, "absent">> {
  return expected === "absent" ? { resourceVersion: IMPOSSIBLE_VERSION } : expected;
}

function pathOf({ apiVersion, plural }: Resource, namespace: string, name?: string): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespace === "" ? "" : `/namespaces/${namespace}`;
  return `${root}${scope}/${plural}${name === undefined ? "" : `/${name}`}`;
}

function refOf(object: KubernetesObject): ObjectRef {
  const { name, namespace = "" } = object.metadata;
  const plural = `${object.kind.toLowerCase()}s`;
  return { resource: { apiVersion: object.apiVersion, kind: object.kind, plural }, namespace, name };
}

function subjectOf({ resource, name }: ObjectRef): string {
  return `${resource.kind} ${name}`;
}

function kindMissing({ server }: Access, { kind, plural, apiVersion }: Resource): Fault {
  const crd = `${plural}.${apiVersion.split("/")[0] ?? ""}`;
  return new Fault(
    "CLUSTER_KIND_MISSING",
    `${server} does not know the kind ${kind} (${apiVersion}): install the CustomResourceDefinition ${crd} of lifecycle-manager first.`,
  );
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
