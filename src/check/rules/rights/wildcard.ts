import { BUMP, manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { dangerous } from "./dangerous.ts";
import { BOUND, boundManifest } from "./gain.ts";

/** No wildcard permissions. */
export const rightsWildcard: Rule = {
  id: "rights-wildcard",
  group: "rights",
  severity: "warning",
  waivable: true,
  demand: "A version gains no rights on * verbs, resources or groups.",
  rationale:
    "A wildcard also covers what others install later, and anyone who takes over the module's pod has all of it. It almost always replaces a list that was not written.",
  source: "https://kubernetes.io/docs/concepts/security/rbac-good-practices/#least-privilege",
  judge: (context) =>
    dangerous(context, {
      isDangerous: ({ verb, group, resource }) => [verb, group, resource].some((text) => text.includes("*")),
      what: "a wildcard has no limit",
      remedy: "List the verbs, resources and groups that are needed.",
    }),
  bad: {
    base: BOUND,
    change: { ...BUMP, ...boundManifest("1.2.0", '{ apiGroups: [apps], resources: ["*"], verbs: [get] }') },
    at: { file: manifestPath("1.2.0"), line: 'resources: ["*"]' },
  },
  good: {
    base: BOUND,
    change: { ...BUMP, ...boundManifest("1.2.0", "{ apiGroups: [apps], resources: [deployments], verbs: [get] }") },
  },
};
