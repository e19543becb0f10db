import type { KubernetesObject, Resource } from "../../kubernetes/object.ts";
import { Fault, type ListPage, type Run } from "../../ports.ts";
import type { Access } from "./access.ts";
import { request, type ApiRequest, type Response } from "./request.ts";
import { asListed, kindMissing, pathOf, selecting } from "./resource.ts";

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
    const query = new URLSearchParams({
      ...selecting(resource),
      limit: String(limit),
      ...(token !== "" && { continue: token }),
    });
    const what: ApiRequest = { method: "GET", path: `${pathOf(resource, namespace)}?${query.toString()}`, subject };
    const response = await requestPage(
      access,
      { ...what, repeat: limit > SMALLEST_PAGE ? "page" : "safe" },
      resource,
      run,
    );
    if (response === "too slow") {
      limit = Math.max(SMALLEST_PAGE, Math.floor(limit / 2));
      continue;
    }
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
async function requestPage(
  access: Access,
  what: ApiRequest,
  resource: Resource,
  run: Run,
): Promise<Response | "too slow"> {
  try {
    const response = await request(access, what, [404, 405, 410], run);
    if (response.status === 404 || response.status === 405) throw kindMissing(access, resource);
    return response;
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
