import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import type { ManifestObject } from "./manifest.ts";
import { mapsAt, textsAt, type Fields } from "./workload.ts";

/**
 * A role, and the roles of the manifest whose rules it also has by its `aggregationRule`: those that it selects, those
 * that these select, and so on. Roles outside of the manifest are unknown: `rights-aggregated` reports every such role.
 */
export function withCollected(role: ManifestObject, roles: readonly ManifestObject[]): readonly ManifestObject[] {
  const found = new Set([role]);
  // A set also visits what is added during the visit.
  for (const collector of found) {
    const { aggregationRule } = collector.value;
    const selectors = isRecord(aggregationRule) ? mapsAt(aggregationRule, "clusterRoleSelectors") : [];
    for (const candidate of roles)
      if (candidate.kind === "ClusterRole" && selectors.some(({ value }) => selects(value, objectLabels(candidate))))
        found.add(candidate);
  }
  return [...found];
}

function objectLabels({ value }: ManifestObject): Fields {
  const labels = fieldAt(value, ["metadata", "labels"]);
  return isRecord(labels) ? labels : {};
}

/** Whether a selector fits labels; an empty one fits all. One with an unknown operator is taken to fit, too. */
function selects(selector: Fields, labels: Fields): boolean {
  const { matchLabels } = selector;
  const wanted = Object.entries(isRecord(matchLabels) ? matchLabels : {});
  return (
    wanted.every(([label, text]) => textAt(labels, [label]) === text) &&
    mapsAt(selector, "matchExpressions").every(({ value }) => fits(value, labels))
  );
}

function fits(expression: Fields, labels: Fields): boolean {
  const { key, operator } = expression;
  const label = textAt(labels, [String(key)]);
  const isListed = label !== undefined && textsAt(expression, "values").includes(label);
  switch (operator) {
    case "In":
      return isListed;
    case "NotIn":
      return !isListed;
    case "Exists":
      return label !== undefined;
    case "DoesNotExist":
      return label === undefined;
    default:
      return true;
  }
}

const AGGREGATE_TO = "rbac.authorization.k8s.io/aggregate-to-";

/** The cluster roles that a role becomes part of, such as `view`. */
export function aggregationTargets(role: ManifestObject): readonly string[] {
  return Object.entries(objectLabels(role)).flatMap(([key, text]) =>
    key.startsWith(AGGREGATE_TO) && text === "true" ? [key.slice(AGGREGATE_TO.length)] : [],
  );
}
