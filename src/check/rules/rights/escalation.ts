import { RBAC } from "../../../kubernetes/defaultRoles.ts";
import { covers } from "../../../kubernetes/rbac.ts";
import { BUMP, manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { dangerous } from "./dangerous.ts";
import { BOUND, boundManifest } from "./gain.ts";

const ROLES = ["roles", "clusterroles"];
const ACCOUNTS = ["users", "groups", "serviceaccounts"];

/** Rights that allow their holder to get every other right. */
const KEYS: readonly (readonly [verb: string, group: string, resource: string])[] = [
  ...ROLES.flatMap((resource) => ["escalate", "bind"].map((verb) => [verb, RBAC, resource] as const)),
  ...ACCOUNTS.map((resource) => ["impersonate", "", resource] as const),
  // A command in any pod: over a WebSocket, the kubelet takes a GET for it as well.
  ["create", "", "nodes/proxy"],
  ["get", "", "nodes/proxy"],
];
/** The same, unless they are limited to some names: a token of any service account, and a certificate of any user. */
const UNNAMED_KEYS: typeof KEYS = [
  ["create", "", "serviceaccounts/token"],
  ["approve", "certificates.k8s.io", "signers"],
];

/** No right that allows to get all others. */
export const rightsEscalation: Rule = {
  id: "rights-escalation",
  group: "rights",
  severity: "error",
  waivable: true,
  demand:
    "A version gains no right to escalate or bind roles, to impersonate, to create tokens of any service account, to approve certificates of any signer, or to run commands through nodes/proxy.",
  rationale:
    "In Kubernetes, users can grant only rights that they have, except through these. A module with one of them is administrator of the cluster, whatever else its roles say, and so is anyone who gets into its pod.",
  source: "https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks",
  judge: (context) =>
    dangerous(context, {
      // A key is dangerous even if it is only for some names or in one namespace.
      isDangerous: (grant) =>
        [...KEYS, ...(grant.name === undefined ? UNNAMED_KEYS : [])].some(([verb, group, resource]) =>
          covers(grant, { verb, group, resource, name: grant.name, namespace: grant.namespace }),
        ),
      what: "this allows it to get every other right",
      remedy: "Grant the module only the rights that it grants to others.",
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
