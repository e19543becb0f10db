import { textAt } from "../../document/fields.ts";
import type { Run, ServedKind } from "../../ports.ts";
import type { Access } from "./access.ts";
import { request, rootOf } from "./request.ts";

/** The kinds that one API server serves. */
export class Discovery {
  readonly #access: Access;
  readonly #known = new Map<string, ServedKind>();

  constructor(access: Access) {
    this.#access = access;
  }

  /** One kind, from memory where it is known. A definition may be replaced: `kinds` forgets. */
  async kindOf(apiVersion: string, kind: string, run: Run): Promise<ServedKind | undefined> {
    const known = this.#known.get(keyOf(apiVersion, kind));
    if (known !== undefined) return known;
    for (const served of await this.#kindsOf(apiVersion, run)) this.#known.set(keyOf(apiVersion, served.kind), served);
    return this.#known.get(keyOf(apiVersion, kind));
  }

  /** Every kind that can be listed and deleted, in the version that the server prefers. */
  async kinds(run: Run): Promise<readonly ServedKind[]> {
    this.#known.clear();
    const { body } = await request(this.#access, { method: "GET", path: "/apis", subject: "the kinds" }, [], run);
    const { groups } = body as { readonly groups: readonly unknown[] };
    const preferred = groups.flatMap((group) => textAt(group, ["preferredVersion", "groupVersion"]) ?? []);
    const kinds = await Promise.all(["v1", ...preferred].map((apiVersion) => this.#kindsOf(apiVersion, run)));
    return kinds.flat().filter(({ verbs }) => verbs.includes("list") && verbs.includes("delete"));
  }

  async #kindsOf(apiVersion: string, run: Run): Promise<readonly ServedKind[]> {
    const what = { method: "GET", path: rootOf(apiVersion), subject: `the kinds of ${apiVersion}` } as const;
    // The server of an aggregated API may be gone: what stands behind it cannot be seen, by anybody.
    const { status, body } = await request(this.#access, { ...what, final: /./ }, [404, 503], run);
    const { resources = [] } = (status < 300 ? body : {}) as { readonly resources?: readonly ListedKind[] };
    const whole = resources.filter(({ name }) => !name.includes("/"));
    return whole.map(({ name, kind, namespaced, verbs }) => ({ apiVersion, kind, plural: name, namespaced, verbs }));
  }
}

interface ListedKind {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

function keyOf(apiVersion: string, kind: string): string {
  return `${apiVersion}/${kind}`;
}
