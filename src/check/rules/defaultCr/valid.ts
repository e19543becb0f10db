import { fieldAt } from "../../../document/fields.ts";
import { causesToFix, causeText } from "../../../kubernetes/validation.ts";
import { scopeOfKind } from "../../../kubernetes/objectKinds.ts";
import { bumpTemplate, BUMP, FAST } from "../../example.ts";
import type { CustomResources } from "../../facts.ts";
import { inTemplate, unjudged, type Rule } from "../../rule.ts";
import { eachResources, parsedFieldPath } from "../crd/resources.ts";
import type { JudgedManifest, ManifestOutcomes } from "../manifest/place.ts";

/** A module can be installed with its own default CR. */
export const defaultCrValid: Rule = {
  id: "default-cr-valid",
  group: "default-cr",
  severity: "error",
  waivable: true,
  demand: "The default CR is valid for the definition of its own manifest, CEL rules included.",
  rationale:
    "lifecycle-manager creates the default CR once the manifest is applied. One that the definition refuses leaves the module in Error on every cluster that enables it, and cannot be corrected there.",
  source: "lifecycle-manager, ModuleTemplate spec.data",
  judge: (context) => eachResources(context, judgeDefault),
  bad: { change: bumpTemplate("replicas: 1", "replicas: 9"), at: { file: FAST, line: "replicas: 9" } },
  good: { change: BUMP },
};

function judgeDefault({ defaultCr }: CustomResources, { template }: JudgedManifest): ManifestOutcomes {
  if (defaultCr === "no-definition") return noDefinition(template);
  switch (defaultCr?.kind) {
    case undefined:
    case "accepted":
      return [];
    case "not-evaluated":
      return [unjudged(`the default CR was not judged: ${defaultCr.why}`, template)];
    case "refused":
      return causesToFix(defaultCr.causes).map((cause) =>
        inTemplate(template, ["spec", "data", ...parsedFieldPath(cause.field)], {
          message: `The default CR is refused: ${causeText(cause)}.`,
          remedy: "Correct spec.data, or the definition.",
        }),
      );
  }
}

function noDefinition(template: JudgedManifest["template"]): ManifestOutcomes {
  const text = (key: string): string => String(fieldAt(template.object, ["spec", "data", key]));
  const [apiVersion, kind] = [text("apiVersion"), text("kind")];
  if (scopeOfKind(apiVersion, kind) !== undefined) return [];
  return [
    inTemplate(template, ["spec", "data", "kind"], {
      message: `The default CR has the kind ${kind} (${apiVersion}), which neither Kubernetes nor the manifest defines: it is unknown whether it is valid.`,
      remedy: "Add the definition to the manifest, or correct apiVersion and kind.",
      severity: "warning",
    }),
  ];
}
