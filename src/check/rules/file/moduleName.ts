import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** The name of a module is one that lifecycle-manager takes. */
export const moduleName: Rule = {
  id: "module-name",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "The name of a module is one that lifecycle-manager takes.",
  rationale: "The CRD of the ModuleTemplate refuses others: the module could be merged and never be synced.",
  source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
  judge: foundWhileReading("module-name"),
  bad: {
    change: { "modules/sample2/module.yaml": "format: 1\n" },
    at: { file: "modules/sample2/module.yaml", line: "format" },
  },
  good: { change: {} },
};
