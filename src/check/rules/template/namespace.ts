import { DEFAULT_NAMESPACE } from "../../../catalogue/settings.ts";
import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import { inTemplate, noteIfLoose, type Rule } from "../../rule.ts";

/** A template is in the namespace where lifecycle-manager looks for it. */
export const templateNamespace: Rule = {
  id: "template-namespace",
  group: "template",
  severity: "warning",
  waivable: true,
  demand: "metadata.namespace is the namespace of a landscape, by default kcp-system.",
  rationale:
    "lifecycle-manager reads templates only from its own namespace. `sync` puts them there, but a file that is applied by hand goes to the namespace that it names.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#describe-the-landscapes",
  judge: (context) => {
    const { landscapes } = (context.base ?? context.head).settings;
    const namespaces =
      landscapes.length === 0 ? [DEFAULT_NAMESPACE] : [...new Set(landscapes.map(({ namespace }) => namespace))];
    const remedy = `Write namespace: ${namespaces.join(" or ")}.`;
    return context.templates.flatMap((template) => {
      const { namespace = "" } = template.object.metadata;
      if (namespaces.includes(namespace)) return [];
      const message =
        namespace === ""
          ? "metadata.namespace is missing."
          : `lifecycle-manager does not read the namespace ${namespace}.`;
      return [inTemplate(template, ["metadata", "namespace"], { message, remedy, ...noteIfLoose(context) })];
    });
  },
  bad: {
    change: bumpTemplate("namespace: kcp-system", "namespace: default"),
    at: { file: FAST, line: "namespace: default" },
  },
  good: { change: BUMP },
};
