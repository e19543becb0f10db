import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import type { ManifestObject } from "./manifest.ts";
import { groupOf, mapsAt, type Fields } from "./workload.ts";

/** A rule in the form of those of roles, and its place in the object. */
interface PlacedRule {
  readonly rule: Fields;
  readonly path: YamlPath;
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ["admissionregistration.k8s.io/MutatingWebhookConfiguration", "mutate"],
  ["admissionregistration.k8s.io/MutatingAdmissionPolicy", "mutate"],
  ["admissionregistration.k8s.io/ValidatingWebhookConfiguration", "validate"],
  ["admissionregistration.k8s.io/ValidatingAdmissionPolicy", "validate"],
  ["apiregistration.k8s.io/APIService", "serve"],
]);

/**
 * The power of an object over the requests of others, as rules of roles: a webhook or a policy can `mutate` or
 * `validate` what others write, and a service can `serve` a version of an API group in place of the API server.
 */
export function admissionRules({ apiVersion, kind, value }: ManifestObject): readonly PlacedRule[] {
  const verb = VERBS.get(`${groupOf(apiVersion)}/${kind}`);
  if (verb === undefined) return [];
  const verbs = [verb];
  const rulesAt = (parent: unknown, at: YamlPath, list: string): readonly PlacedRule[] =>
    mapsAt(isRecord(parent) ? parent : {}, list).map(({ index, value: rule }) => ({
      rule: { apiGroups: rule["apiGroups"], resources: rule["resources"], verbs },
      path: [...at, list, index],
    }));
  if (verb === "serve") {
    const [group, version] = ["group", "version"].map((field) => textAt(value, ["spec", field]));
    return [{ rule: { apiGroups: [group], resources: [version], verbs }, path: ["spec"] }];
  }
  const constraints = ["spec", "matchConstraints"];
  return [
    ...mapsAt(value, "webhooks").flatMap((webhook) => rulesAt(webhook.value, ["webhooks", webhook.index], "rules")),
    ...rulesAt(fieldAt(value, constraints), constraints, "resourceRules"),
  ];
}
