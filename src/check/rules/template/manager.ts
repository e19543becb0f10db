import { BUMP, edit, FAST, templateText } from "../../example.ts";
import { inTemplate, noteIfLoose, type Rule } from "../../rule.ts";

const MANAGER = `  manager:
    group: apps
    version: v1
    kind: Deployment
    name: sample-manager
    namespace: kyma-system
`;

const BARE = edit(edit(templateText("fast", "1.2.0"), MANAGER, ""), "    spec:\n      replicas: 1\n", "");

/** A template names the workload whose state is the state of the module. */
export const templateManager: Rule = {
  id: "template-manager",
  group: "template",
  severity: "warning",
  waivable: true,
  demand: "spec.manager names the module's Deployment or StatefulSet.",
  rationale:
    "Without it, lifecycle-manager reports a module as ready as soon as its objects are applied, even if nothing runs: no later gate detects a broken version.",
  source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
  judge: (context) =>
    context.templates
      .filter(({ object }) => object.spec["manager"] === undefined)
      .map((template) => {
        const message = "spec.manager is missing: lifecycle-manager cannot tell whether the module runs.";
        const remedy = "Name group, version, kind, name and namespace of the module's Deployment or StatefulSet.";
        return inTemplate(template, ["spec", "manager"], {
          message,
          remedy,
          ...noteIfLoose(context),
        });
      }),
  bad: { change: { ...BUMP, [FAST]: BARE }, at: { file: FAST, line: "spec:" } },
  good: { change: BUMP },
};
