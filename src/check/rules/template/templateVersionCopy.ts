import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** The version that older lifecycle-managers read is the same. */
export const templateVersionCopy: Rule = {
  id: "template-version-copy",
  group: "template",
  severity: "warning",
  waivable: false,
  demand: "The version that older lifecycle-managers read is the same.",
  rationale:
    "Up to 1.7 lifecycle-manager reads the version from an annotation and from the descriptor: it would install another one.",
  source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
  judge: foundWhileReading("template-version-copy"),
  bad: {
    change: bumpTemplate(
      "namespace: kcp-system\n",
      "namespace: kcp-system\n  annotations:\n    operator.kyma-project.io/module-version: 1.1.0\n",
    ),
    at: { file: FAST, line: "module-version: 1.1.0" },
  },
  good: { change: BUMP },
};
