import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** spec.version is a version that lifecycle-manager and Kubernetes take. */
export const templateVersion: Rule = {
  id: "template-version",
  group: "template",
  severity: "error",
  waivable: false,
  demand: "spec.version is a version that lifecycle-manager and Kubernetes take.",
  rationale:
    "The version is part of the name of an object. The CRD lets `1.0.0-RC1` pass, and the name `sample-1.0.0-RC1` is refused after the merge.",
  source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
  judge: foundWhileReading("template-version"),
  bad: { change: bumpTemplate("version: 1.2.0", "version: 1.2.0-RC1"), at: { file: FAST, line: "version: 1.2.0-RC1" } },
  good: { change: BUMP },
};
