import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import type { YamlPath } from "../../../document/yaml/tree.ts";
import type { ValidationVerdict } from "../../../kubernetes/validation.ts";
import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import { unjudged, type Rule } from "../../rule.ts";
import { inManifest, type JudgedManifest, type ManifestOutcomes } from "../manifest/place.ts";
import { eachResources, parsedFieldPath } from "./resources.ts";

const SIZE = "size: { type: string, enum: [small, large] }";

/** Kubernetes accepts every definition. */
export const crdStructural: Rule = {
  id: "crd-structural",
  group: "crd",
  severity: "error",
  waivable: true,
  demand: "Kubernetes accepts every CustomResourceDefinition of a manifest.",
  rationale:
    "Without the definition, no object of the kind can be created, and the manager does not start, since it watches them. Kubernetes' own code judges here: structural schema, defaults, list types, CEL rules with their cost.",
  source:
    "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema",
  judge: (context) =>
    eachResources(context, function* ({ definitions }, judged) {
      for (const [index, object] of judged.manifest.objects.entries())
        yield* refusals(object, definitions.get(index), judged);
    }),
  bad: {
    change: bumpManifest(SIZE, `${SIZE}\n                mode: { type: text }`),
    at: { file: manifestPath("1.2.0"), line: "mode: { type: text }" },
  },
  good: { change: BUMP },
};

function refusals(
  object: ManifestObject,
  verdict: ValidationVerdict | undefined,
  judged: JudgedManifest,
): ManifestOutcomes {
  switch (verdict?.kind) {
    case undefined:
    case "accepted":
      return [];
    case "not-evaluated":
      return [unjudged(`${object.name} was not judged: ${verdict.why}`, judged.template)];
    case "refused":
      return verdict.causes.map(({ field, message }) =>
        inManifest(judged, object, schemaFieldPlace(field), {
          message: `Kubernetes refuses ${object.name}: ${field}: ${message}.`,
          remedy: "Correct the definition, or the source that it is generated from.",
        }),
      );
  }
}

/** Fields that Kubernetes moves up before it judges a definition, if all versions have them in common. */
const HOISTED: ReadonlyMap<string | number | undefined, readonly string[]> = new Map([
  ["validation", ["schema"]],
  ...["subresources", "additionalPrinterColumns", "selectableFields"].map((key): [string, string[]] => [key, [key]]),
]);

function schemaFieldPlace(field: string): YamlPath {
  const [spec, key, ...rest] = parsedFieldPath(field);
  const inVersion = spec === "spec" ? HOISTED.get(key) : undefined;
  return inVersion === undefined ? parsedFieldPath(field) : ["spec", "versions", 0, ...inVersion, ...rest];
}
