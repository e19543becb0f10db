import { FAST, REGULAR, templateText } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A mandatory module stands in one mandatory channel, and in no other. */
export const moduleMandatory: Rule = {
  id: "module-mandatory",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A mandatory module stands in one mandatory channel, and in no other.",
  rationale:
    "A release meta has either channels or a mandatory version. In both, the module would be installed twice, or not at all.",
  source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
  judge: foundWhileReading("module-mandatory"),
  bad: {
    change: {
      "channels/must.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n",
      "channels/must/sample.yaml": templateText("must", "1.1.0"),
    },
    at: { file: "channels/must/sample.yaml", line: "" },
    alsoAt: [
      { file: FAST, line: "" },
      { file: REGULAR, line: "" },
    ],
  },
  good: { change: { "channels/must.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n" } },
};
