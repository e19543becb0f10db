import { covers } from "../../../kubernetes/rbac.ts";
import { BUMP, manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { dangerous } from "./dangerous.ts";
import { BOUND, boundManifest } from "./gain.ts";

const READS = ["get", "list", "watch"];
const SECRETS = { group: "", resource: "secrets", name: undefined, namespace: undefined };

/** No right to read all secrets. */
export const rightsSecrets: Rule = {
  id: "rights-secrets",
  group: "rights",
  severity: "warning",
  waivable: true,
  demand: "A version gains no right to read the secrets of every namespace.",
  rationale:
    "The secrets of a cluster include the tokens and keys of all its users, also of administrators. One namespace, or some names, are nearly always enough.",
  source: "https://kubernetes.io/docs/concepts/security/rbac-good-practices/#listing-secrets",
  judge: (context) =>
    dangerous(context, {
      isDangerous: (grant) => READS.some((verb) => covers(grant, { verb, ...SECRETS })),
      what: "it can read every secret of the cluster",
      remedy: "Use a Role in the module's namespace, or resourceNames.",
    }),
  bad: {
    base: BOUND,
    change: { ...BUMP, ...boundManifest("1.2.0", '{ apiGroups: [""], resources: [secrets], verbs: [list] }') },
    at: { file: manifestPath("1.2.0"), line: "resources: [secrets]" },
  },
  good: {
    base: BOUND,
    change: {
      ...BUMP,
      ...boundManifest("1.2.0", '{ apiGroups: [""], resources: [secrets], resourceNames: [sample], verbs: [get] }'),
    },
  },
};
