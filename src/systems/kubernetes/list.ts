import { fieldAt, textAt } from "../../document/fields.ts";
import type { KubernetesObject, Resource } from "../../kubernetes/object.ts";
import { Fault, type ListPage, type Run } from "../../ports.ts";
import type { Access } from "./access.ts";
import { request, type JsonRequest, type Response } from "./request.ts";
import { kindMissing, parseListed, resourcePath, selecting } from "./resource.ts";

/** Objects a page: 500 ModuleTemplates are about 2 MB. */
const PAGE = 500;
const SMALLEST_PAGE = 25;

/**
 * All objects of a kind in a namespace, or in all if it is empty, as the port `ControlPlane` gives them. Throws
 * CLUSTER_KIND_MISSING for a kind that is not served, or that cannot be listed.
 */
export async function* list(access: Access, resource: Resource, namespace: string, run: Run): AsyncGenerator<ListPage> {
  const subject = `the ${resource.plural}${namespace === "" ? "" : ` in ${namespace}`}`;
  let limit = PAGE;
  let first: string | undefined;
  for (let token: string | undefined = ""; token !== undefined;) {
    const path = pagePath(resource, namespace, limit, token);
    const parse = (body: unknown): ListPage | undefined => parsePage(body, resource, namespace);
    const repeat = limit > SMALLEST_PAGE ? "page" : "safe";
    const response = await requestPage(access, { method: "GET", path, subject, parse, repeat }, resource, run);
    if (response === "too slow") {
      limit = Math.max(SMALLEST_PAGE, Math.floor(limit / 2));
      continue;
    }
    const { found, body } = response;
    first ??= found?.resourceVersion;
    const next = textAt(body, ["metadata", "continue"]);
    // That of the first page, for all: after a 410 the rest is newer than the beginning, and a watch from there would
    // miss what changed in the beginning. From the first one, some changes come again.
    if (found !== undefined) yield { objects: found.objects, resourceVersion: first ?? "" };
    // 410: the list grew too old between two pages. The answer brings a token with which the rest can still be read;
    // what moved meanwhile answers 409 when it is written. Half a list would look like objects that are gone.
    else if (next === undefined) throw new Fault("CLUSTER_BUSY", `${subject}: the list changed too fast. Try again.`);
    token = next;
  }
}

function pagePath(resource: Resource, namespace: string, limit: number, token: string): string {
  const page = { limit: String(limit), ...(token !== "" && { continue: token }) };
  return `${resourcePath(resource, namespace)}?${new URLSearchParams({ ...selecting(resource), ...page }).toString()}`;
}

/** One page. A slow line, or a server under load, may bring half of it in time. */
async function requestPage(
  access: Access,
  what: JsonRequest<ListPage>,
  resource: Resource,
  run: Run,
): Promise<Response<ListPage> | "too slow"> {
  try {
    const response = await request(access, what, [404, 405, 410], run);
    if (response.status === 404 || response.status === 405) throw kindMissing(access, resource);
    return response;
  } catch (error) {
    if (error instanceof Fault && error.code === "CLUSTER_TIMEOUT" && what.repeat === "page") return "too slow";
    throw error;
  }
}

/** Parses a page of a list of this kind: an empty list of another one does not tell that there are none. */
export function parsePage(body: unknown, resource: Resource, namespace: string): ListPage | undefined {
  const { apiVersion, kind } = resource;
  const items = fieldAt(body, ["items"]);
  const resourceVersion = textAt(body, ["metadata", "resourceVersion"]);
  if (!Array.isArray(items) || resourceVersion === undefined || fieldAt(body, ["apiVersion"]) !== apiVersion)
    return undefined;
  // A definition may name its lists otherwise.
  const isTyped = items.length > 0 && items.every((item) => textAt(item, ["kind"]) === kind);
  if (!isTyped && textAt(body, ["kind"]) !== `${kind}List`) return undefined;
  const objects = items.flatMap((item: unknown): readonly KubernetesObject[] => {
    const object = parseListed(item, resource, namespace);
    return object === undefined ? [] : [object];
  });
  return objects.length === items.length ? { objects, resourceVersion } : undefined;
}
