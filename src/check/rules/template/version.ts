import { BUMP, FAST, bumpTemplate } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { readingRules } from "../reading.ts";

/** A template says one version, which lifecycle-manager and Kubernetes take. */
export const TEMPLATE_VERSION_RULES: readonly Rule[] = readingRules("template", [
  {
    id: "template-version",
    demand: "spec.version is a version that lifecycle-manager and Kubernetes take.",
    rationale:
      "The version is part of the name of an object. The CRD lets `1.0.0-RC1` pass, and the name `sample-1.0.0-RC1` is refused after the merge.",
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
    demand: "The version that older lifecycle-managers read is the same.",
    rationale:
      "Up to 1.7 lifecycle-manager reads the version from an annotation and from the descriptor: it would install another one.",
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
