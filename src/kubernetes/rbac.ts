import { textAt } from "../document/fields.ts";
import type { ManifestObject } from "./manifest.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import { groupOf, mapsAt, textsAt, type Fields } from "./workload.ts";

/** One verb on one resource, or on one address that is not a resource. */
export interface Right {
  readonly verb: string;
  /** Empty for the core group, and for an address. */
  readonly group: string;
  /** `pods`, `pods/log`, `*`; for an address, the address: `/metrics`. */
  readonly resource: string;
  /** `undefined`: every object. */
  readonly name: string | undefined;
  /** `undefined`: in every namespace, and beside them. */
  readonly namespace: string | undefined;
}

/** A right, and where the manifest gives it. */
export interface Grant extends Right {
  /** The role; for a role that stands elsewhere, the binding. */
  readonly object: ManifestObject;
  /** The rule in the object. */
  readonly path: YamlPath;
}

const RBAC = "rbac.authorization.k8s.io";

/** The roles that every cluster has and that allow everything; those that a manifest lacks otherwise are unknown. */
const CLUSTER_ADMIN: readonly Fields[] = [
  { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
  { nonResourceURLs: ["*"], verbs: ["*"] },
];

/**
 * The rights that the bindings of a manifest give to anybody. A role that nobody is bound to gives none, and a role
 * that is neither in the manifest nor `cluster-admin` counts for the verb `as` on itself: it is a right, though nobody
 * here knows which.
 */
export function grantsOf(objects: readonly ManifestObject[]): readonly Grant[] {
  const own = objects.filter(({ apiVersion }) => groupOf(apiVersion) === RBAC);
  return own.filter(isBinding).flatMap((binding) => grantsBy(binding, own));
}

function isBinding({ kind, value }: ManifestObject): boolean {
  return ["RoleBinding", "ClusterRoleBinding"].includes(kind) && mapsAt(value, "subjects").length > 0;
}

function grantsBy(binding: ManifestObject, roles: readonly ManifestObject[]): readonly Grant[] {
  const namespace = binding.kind === "RoleBinding" ? binding.namespace : undefined;
  const kind = textAt(binding.value, ["roleRef", "kind"]) ?? "";
  const name = textAt(binding.value, ["roleRef", "name"]) ?? "";
  const role = roles.find(
    (candidate) =>
      candidate.kind === kind &&
      candidate.name === name &&
      (kind === "ClusterRole" || candidate.namespace === namespace),
  );
  if (role !== undefined)
    return mapsAt(role.value, "rules").flatMap(({ index, value }) =>
      rightsOf(value, namespace).map((right) => ({ ...right, object: role, path: ["rules", index] })),
    );
  const elsewhere = { object: binding, path: ["roleRef"] };
  if (name === "cluster-admin")
    return CLUSTER_ADMIN.flatMap((rule) => rightsOf(rule, namespace)).map((right) => ({ ...right, ...elsewhere }));
  return [{ verb: "as", group: RBAC, resource: kind, name, namespace, ...elsewhere }];
}

function rightsOf(rule: Fields, namespace: string | undefined): readonly Right[] {
  const verbs = textsAt(rule, "verbs");
  const listed = textsAt(rule, "resourceNames");
  const names = listed.length === 0 ? [undefined] : listed;
  const resources = textsAt(rule, "apiGroups").flatMap((group) =>
    textsAt(rule, "resources").flatMap((resource) =>
      names.flatMap((name) => verbs.map((verb) => ({ verb, group, resource, name, namespace }))),
    ),
  );
  const addresses = textsAt(rule, "nonResourceURLs").flatMap((resource) =>
    verbs.map((verb) => ({ verb, group: "", resource, name: undefined, namespace })),
  );
  return [...resources, ...addresses];
}

/** Whether who has `one` may do everything that `other` allows. */
export function covers(one: Right, other: Right): boolean {
  return (
    [other.verb, "*"].includes(one.verb) &&
    [other.group, "*"].includes(one.group) &&
    coversResource(one.resource, other.resource) &&
    (one.name === undefined || one.name === other.name) &&
    (one.namespace === undefined || one.namespace === other.namespace)
  );
}

/** `*` is everything, `*` with a subresource that of everything, and an address may end in `*`. */
function coversResource(one: string, other: string): boolean {
  if (one === other) return true;
  if (one === "*") return !other.startsWith("/");
  if (one.startsWith("*/")) return other.endsWith(one.slice(1));
  return one.startsWith("/") && one.endsWith("*") && other.startsWith(one.slice(0, -1));
}

/** The grants of `now` that no grant of `before` covers. */
export function gainedGrants(now: readonly Grant[], before: readonly Grant[]): readonly Grant[] {
  return now.filter((grant) => !before.some((known) => covers(known, grant)));
}

/** Rights for people, those on one thing together: `get, list on secrets; bind on rbac.authorization.k8s.io/roles`. */
export function rightsText(rights: readonly Right[]): string {
  const verbs = new Map<string, Set<string>>();
  for (const right of rights) {
    const thing = thingText(right);
    verbs.set(thing, (verbs.get(thing) ?? new Set()).add(right.verb));
  }
  return [...verbs].map(([thing, names]) => `${[...names].join(", ")} on ${thing}`).join("; ");
}

function thingText({ group, resource, name, namespace }: Right): string {
  const kind = group === "" ? resource : `${group}/${resource}`;
  return `${kind}${name === undefined ? "" : ` ${name}`}${namespace === undefined ? "" : ` in ${namespace}`}`;
}
