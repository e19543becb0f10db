import { covers, type Grant, type Right } from "../../../kubernetes/rbac.ts";
import { BUMP, manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { dangerous } from "./dangerous.ts";
import { BOUND, boundManifest } from "./gain.ts";

const RBAC = "rbac.authorization.k8s.io";
const ROLES = ["roles", "clusterroles"];
const ACCOUNTS = ["users", "groups", "serviceaccounts"];

/** The rights by which one gets every other. */
const KEYS: readonly (readonly [verb: string, group: string, resource: string])[] = [
  ...ROLES.flatMap((resource) => ["escalate", "bind"].map((verb) => [verb, RBAC, resource] as const)),
  ...ACCOUNTS.map((resource) => ["impersonate", "", resource] as const),
];

/** No right that gives all others. */
export const rightsEscalation: Rule = {
  id: "rights-escalation",
  group: "rights",
  severity: "error",
  waivable: true,
  demand: "A version gains no right to escalate or bind roles, or to impersonate.",
  rationale:
    "Kubernetes lets no one hand out more than they have, but for these three. A module that has one of them is administrator of the cluster, whatever else its roles say, and so is whoever gets into its pod.",
  source: "https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks",
  judge: (context) =>
    dangerous(context, {
      isDangerous: isKey,
      what: "with that one can get every other right",
      remedy: "Grant the module the rights that it hands out, and nothing more.",
    }),
  bad: {
    base: BOUND,
    change: {
      ...BUMP,
      ...boundManifest("1.2.0", `{ apiGroups: [${RBAC}], resources: [clusterroles], verbs: [bind] }`),
    },
    at: { file: manifestPath("1.2.0"), line: "verbs: [bind]" },
  },
  good: {
    base: BOUND,
    change: { ...BUMP, ...boundManifest("1.2.0", `{ apiGroups: [${RBAC}], resources: [clusterroles], verbs: [get] }`) },
  },
};

/** Also where it is only for some names, or in one namespace: that is still somebody. */
function isKey(grant: Grant): boolean {
  return KEYS.some(([verb, group, resource]) => {
    const key: Right = { verb, group, resource, name: grant.name, namespace: grant.namespace };
    return covers(grant, key);
  });
}
