import { canonicalJson } from "../../../document/canonical.ts";
import type { Manifest, ManifestObject } from "../../../kubernetes/manifest.ts";
import { aggregationTargets } from "../../../kubernetes/aggregation.ts";
import { mapsAt, namedObject, textsAt } from "../../../kubernetes/workload.ts";
import { bumpManifest, manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { inManifest } from "../manifest/place.ts";
import { servedSeverity } from "./dangerous.ts";
import { eachChange } from "./gain.ts";

/** No rights through aggregation labels. */
export const rightsAggregated: Rule = {
  id: "rights-aggregated",
  group: "rights",
  severity: "error",
  waivable: true,
  demand: "A version neither gains rights by aggregation, nor grants unlimited rights by it.",
  rationale:
    "A role with an aggregationRule has the rights of all roles with its labels, which can include cluster-admin. A role with all verbs or resources and the label aggregate-to-view grants them to everyone who may view. Neither shows in a diff of rules.",
  source: "https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles",
  judge: (context) =>
    eachChange(context, function* (compared) {
      const before = new Set(compared.served.flatMap(manifestRoles).map(objectContent));
      for (const role of manifestRoles(compared.manifest)) {
        const what = dangerIn(role);
        if (what === undefined || before.has(objectContent(role))) continue;
        const message = `${namedObject(role)} ${what}.`;
        const remedy = "List the intended rights in the role, verb by verb.";
        yield inManifest(compared, role, ["metadata", "name"], { message, remedy, ...servedSeverity(compared.served) });
      }
    }),
  bad: {
    change: bumpManifest(
      "  name: sample-manager\nrules:\n  - apiGroups: [operator",
      "  name: sample-collector\naggregationRule:\n  clusterRoleSelectors: [{ matchLabels: { kubernetes.io/bootstrapping: rbac-defaults } }]\nrules:\n  - apiGroups: [operator",
    ),
    at: { file: manifestPath("1.2.0"), line: "sample-collector" },
  },
  good: { change: bumpManifest("verbs: [get, list, watch]", "verbs: [get, list]") },
};

function manifestRoles({ objects }: Manifest): readonly ManifestObject[] {
  return objects.filter(({ kind, apiVersion }) => kind === "ClusterRole" && apiVersion.startsWith("rbac."));
}

/** The content of a role that a change can alter. */
function objectContent({ value }: ManifestObject): string {
  return canonicalJson([value["metadata"], value["aggregationRule"], value["rules"]]);
}

function dangerIn(role: ManifestObject): string | undefined {
  const { value } = role;
  if (value["aggregationRule"] !== undefined) return "collects the rights of all roles with certain labels";
  const targets = aggregationTargets(role);
  const isUnbounded = mapsAt(value, "rules").some(({ value: rule }) =>
    [...textsAt(rule, "verbs"), ...textsAt(rule, "resources")].includes("*"),
  );
  return targets.length > 0 && isUnbounded
    ? `grants rights on everything to everyone with ClusterRole ${targets.join(", ")}`
    : undefined;
}
