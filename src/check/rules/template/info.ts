import { textAt } from "../../../document/fields.ts";
import { BUMP, edit, FAST, templateText } from "../../example.ts";
import { inTemplate, noteIfLoose, type Rule } from "../../rule.ts";

const INFO = `  info:
    repository: https://github.com/sample/sample
    documentation: https://sample.example.com
`;

const BARE = edit(edit(templateText("fast", "1.2.0"), INFO, ""), "    spec:\n      replicas: 1\n", "");

/** A template names its source repository and its documentation. */
export const templateInfo: Rule = {
  id: "template-info",
  group: "template",
  severity: "warning",
  waivable: true,
  demand: "spec.info names the repository and the documentation.",
  rationale:
    "Users who see the module in a cluster find its documentation and its source only here. The rule version-released asks this repository.",
  source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
  judge: (context) =>
    context.templates.flatMap((template) => {
      const missing = ["repository", "documentation"].filter(
        (key) => textAt(template.object, ["spec", "info", key]) === undefined,
      );
      if (missing.length === 0) return [];
      const message = `spec.info names no ${missing.join(" and no ")}.`;
      const remedy = "Add the https addresses where people read about the module.";
      return [inTemplate(template, ["spec", "info"], { message, remedy, ...noteIfLoose(context) })];
    }),
  bad: { change: { ...BUMP, [FAST]: BARE }, at: { file: FAST, line: "spec:" } },
  good: { change: BUMP },
};
