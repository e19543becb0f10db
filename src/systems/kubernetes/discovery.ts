import { fieldAt, isRecord, isTexts, textAt } from "../../document/fields.ts";
import type { Resource } from "../../kubernetes/object.ts";
import type { Run, ServedKind } from "../../ports.ts";
import type { Access } from "./access.ts";
import { get, request, apiRoot } from "./request.ts";

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
    const now = readKinds(this.#access, apiVersion, run);
    this.#known.set(apiVersion, now);
    return find(await now);
  }

  /**
   * Every kind that can be listed and deleted, in the version that the server prefers. Clears the cache, since
   * definitions may change. The kinds of an aggregated API whose server is down are not visible.
   */
  async kinds(run: Run): Promise<readonly ServedKind[]> {
    this.#known.clear();
    const groups = await readGroups(this.#access, "the kinds", run);
    const preferred = groups.map((group) => group.preferred);
    const kinds = await Promise.all(
      ["v1", ...preferred].map((apiVersion) => readKinds(this.#access, apiVersion, run, [404, 503])),
    );
    return kinds.flat().filter(({ verbs }) => verbs.includes("list") && verbs.includes("delete"));
  }
}

/** Whether an API server knows a kind in any version of its group. Throws if its answer is unclear. */
export async function knows(access: Access, { apiVersion, plural }: Resource, run: Run): Promise<boolean> {
  const name = apiVersion.slice(0, apiVersion.indexOf("/"));
  const group = (await readGroups(access, `the kinds of ${name}`, run)).find((one) => one.name === name);
  for (const apiVersion of group?.versions ?? []) {
    const kinds = await readKinds(access, apiVersion, run, []);
    if (kinds.some((kind) => kind.plural === plural)) return true;
  }
  return false;
}

interface ApiGroup {
  readonly name: string;
  readonly preferred: string;
  /** API versions. */
  readonly versions: readonly string[];
}

async function readGroups(access: Access, subject: string, run: Run): Promise<readonly ApiGroup[]> {
  return get(access, { path: "/apis", subject, parse: parseGroups }, run);
}

function parseGroups(body: unknown): readonly ApiGroup[] | undefined {
  const groups = fieldAt(body, ["groups"]);
  if (textAt(body, ["kind"]) !== "APIGroupList" || !Array.isArray(groups)) return undefined;
  const parsed = groups.map((group: unknown): ApiGroup | undefined => {
    const [name, preferred] = [textAt(group, ["name"]), textAt(group, ["preferredVersion", "groupVersion"])];
    const versions = fieldAt(group, ["versions"]);
    const named = Array.isArray(versions) ? versions.map((one: unknown) => textAt(one, ["groupVersion"])) : undefined;
    return name !== undefined && preferred !== undefined && isTexts(named)
      ? { name, preferred, versions: named }
      : undefined;
  });
  return allOrUndefined(parsed);
}

/** The kinds of an API version. An answer with one of the codes in `absent` means that it has none. */
async function readKinds(
  access: Access,
  apiVersion: string,
  run: Run,
  absent: readonly number[] = [404],
): Promise<readonly ServedKind[]> {
  const what = { method: "GET", path: apiRoot(apiVersion), subject: `the kinds of ${apiVersion}` } as const;
  const final = absent.includes(503) ? { final: /./ } : {};
  const parse = (body: unknown): readonly ServedKind[] | undefined => parseKinds(body, apiVersion);
  return (await request(access, { ...what, ...final, parse }, absent, run)).found ?? [];
}

function parseKinds(body: unknown, apiVersion: string): readonly ServedKind[] | undefined {
  // Servers in Go write an empty list as null.
  const resources = fieldAt(body, ["resources"]) ?? [];
  const isAsked = textAt(body, ["kind"]) === "APIResourceList" && textAt(body, ["groupVersion"]) === apiVersion;
  if (!isAsked || !Array.isArray(resources)) return undefined;
  const whole = resources.filter((resource: unknown) => textAt(resource, ["name"])?.includes("/") !== true);
  return allOrUndefined(
    whole.map((resource: unknown): ServedKind | undefined => {
      const [plural, kind] = [textAt(resource, ["name"]), textAt(resource, ["kind"])];
      const { namespaced, verbs } = isRecord(resource) ? resource : {};
      return plural !== undefined && kind !== undefined && typeof namespaced === "boolean" && isTexts(verbs)
        ? { apiVersion, kind, plural, namespaced, verbs }
        : undefined;
    }),
  );
}

/** The parsed items; `undefined` if one could not be parsed. */
function allOrUndefined<Item>(items: readonly (Item | undefined)[]): readonly Item[] | undefined {
  const parsed = items.filter((item) => item !== undefined);
  return parsed.length === items.length ? parsed : undefined;
}
