import { textAt } from "../../document/fields.ts";
import type { Resource } from "../../kubernetes/object.ts";
import { Fault, type Run, type ServedKind } from "../../ports.ts";
import type { Access } from "./access.ts";
import { request, rootOf } from "./request.ts";

/** Discovery of the kinds that an API server serves, with a cache. */
export class Discovery {
  readonly #access: Access;
  /** By API version. */
  readonly #known = new Map<string, Promise<readonly ServedKind[]>>();

  constructor(access: Access) {
    this.#access = access;
  }

  /** One kind, from the cache if possible; `undefined` if it is not served. */
  async kindOf(apiVersion: string, kind: string, run: Run): Promise<ServedKind | undefined> {
    const find = (kinds: readonly ServedKind[]): ServedKind | undefined => kinds.find((one) => one.kind === kind);
    const known = this.#known.get(apiVersion);
    const found = known && find(await known.catch(() => []));
    if (found !== undefined) return found;
    const now = kindsOf(this.#access, apiVersion, run);
    this.#known.set(apiVersion, now);
    return find(await now);
  }

  /**
   * Every kind that can be listed and deleted, in the version that the server prefers. Clears the cache, since
   * definitions may change. The kinds of an aggregated API whose server is down are not visible.
   */
  async kinds(run: Run): Promise<readonly ServedKind[]> {
    this.#known.clear();
    const groups = await groupsOf(this.#access, "the kinds", run);
    const preferred = groups.flatMap((group) => textAt(group, ["preferredVersion", "groupVersion"]) ?? []);
    const kinds = await Promise.all(
      ["v1", ...preferred].map((apiVersion) => kindsOf(this.#access, apiVersion, run, [404, 503])),
    );
    return kinds.flat().filter(({ verbs }) => verbs.includes("list") && verbs.includes("delete"));
  }
}

/** Whether an API server knows a kind in any version of its group. Throws if its answer is unclear. */
export async function knows(access: Access, { apiVersion, plural }: Resource, run: Run): Promise<boolean> {
  const name = apiVersion.slice(0, apiVersion.indexOf("/"));
  const group = (await groupsOf(access, `the kinds of ${name}`, run)).find((one) => one.name === name);
  for (const { groupVersion } of group?.versions ?? []) {
    const kinds = await kindsOf(access, groupVersion, run, []);
    if (kinds.some((kind) => kind.plural === plural)) return true;
  }
  return false;
}

interface ApiGroup {
  readonly name: string;
  readonly versions?: readonly { readonly groupVersion: string }[];
}

async function groupsOf(access: Access, subject: string, run: Run): Promise<readonly ApiGroup[]> {
  const { body } = await request(access, { method: "GET", path: "/apis", subject }, [], run);
  const { kind, groups } = (body ?? {}) as { readonly kind?: unknown; readonly groups?: unknown };
  if (kind === "APIGroupList" && Array.isArray(groups)) return groups as readonly ApiGroup[];
  throw new Fault("CLUSTER_REFUSED", `${subject}: the server at ${access.server} does not list its kinds.`);
}

interface ListedKind {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** The kinds of an API version. An answer with one of the codes in `absent` means that it has none. */
async function kindsOf(
  access: Access,
  apiVersion: string,
  run: Run,
  absent: readonly number[] = [404],
): Promise<readonly ServedKind[]> {
  const what = { method: "GET", path: rootOf(apiVersion), subject: `the kinds of ${apiVersion}` } as const;
  const { status, body } = await request(access, absent.includes(503) ? { ...what, final: /./ } : what, absent, run);
  const { resources = [] } = (status < 300 ? body : {}) as { readonly resources?: readonly ListedKind[] };
  const whole = resources.filter(({ name }) => !name.includes("/"));
  return whole.map(({ name, kind, namespaced, verbs }) => ({ apiVersion, kind, plural: name, namespaced, verbs }));
}
