import { BUMP, FAST, bumpTemplate } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { readingRules } from "../reading.ts";

/** Rules about the version of a template, which lifecycle-manager and Kubernetes must accept. */
export const TEMPLATE_VERSION_RULES: readonly Rule[] = readingRules("template", [
  {
    id: "template-version",
    demand: "spec.version is a version that lifecycle-manager and Kubernetes accept.",
    rationale:
      "The version is part of the name of an object. The CRD accepts `1.0.0-RC1`, but the API server refuses the name `sample-1.0.0-RC1` after the merge.",
    source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
    bad: {
      change: bumpTemplate("version: 1.2.0", "version: 1.2.0-RC1"),
      at: { file: FAST, line: "version: 1.2.0-RC1" },
    },
    good: { change: BUMP },
  },
  {
    id: "template-version-copy",
    severity: "warning",
    demand: "The version that older lifecycle-managers read is the version in spec.version.",
    rationale:
      "Up to 1.7 lifecycle-manager reads the version from an annotation and from the descriptor: it would install that version.",
    source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
    bad: {
      change: bumpTemplate(
        "namespace: kcp-system\n",
        "namespace: kcp-system\n  annotations:\n    operator.kyma-project.io/module-version: 1.1.0\n",
      ),
      at: { file: FAST, line: "module-version: 1.1.0" },
    },
    good: { change: BUMP },
  },
]);
