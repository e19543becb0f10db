import type { Fields } from "./workload.ts";

/** The API group of roles and bindings. */
export const RBAC = "rbac.authorization.k8s.io";

/** The verb for all rights of a role or a service account that is not in the manifest. */
export const AS = "as";

/** The rule that stands for all rights of a role or a service account. */
export function asRole(kind: string, name: string): Fields {
  return { apiGroups: [RBAC], resources: [kind], resourceNames: [name], verbs: [AS] };
}

const ALL_VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

/** The rights of `edit` and `admin` that matter most, since a cluster can be taken over with them. */
const EDIT: readonly Fields[] = [
  { apiGroups: [""], resources: ["serviceaccounts"], verbs: ["impersonate"] },
  { apiGroups: [""], resources: ["secrets"], verbs: ALL_VERBS },
];
const ADMIN: readonly Fields[] = [{ apiGroups: [RBAC], resources: ["roles", "rolebindings"], verbs: ALL_VERBS }];

/** Roles of every cluster of which not all rights are listed here: `admin`, `edit` and `view` differ by cluster. */
const PARTLY_KNOWN: readonly (readonly [name: string, rules: readonly Fields[]])[] = [
  ["admin", [...EDIT, ...ADMIN]],
  ["edit", EDIT],
  ["view", []],
  ["system:aggregate-to-admin", ADMIN],
  ["system:aggregate-to-edit", EDIT],
];

/**
 * The rules of cluster roles that every cluster has.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#default-roles-and-role-bindings
 */
export const DEFAULT_ROLES: ReadonlyMap<string, readonly Fields[]> = new Map([
  [
    "cluster-admin",
    [
      { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
      { nonResourceURLs: ["*"], verbs: ["*"] },
    ],
  ],
  ...PARTLY_KNOWN.map(([name, rules]) => [name, [...rules, asRole("ClusterRole", name)]] as const),
]);
