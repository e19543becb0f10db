import { fieldAt, textAt } from "../../../document/fields.ts";
import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import type { YamlPath } from "../../../document/yaml/tree.ts";
import { causesToFix, causeText, type StatusCause } from "../../../kubernetes/validation.ts";
import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import type { CustomResources, ServedDefaultCr } from "../../facts.ts";
import { unjudged, type Rule } from "../../rule.ts";
import { eachResources, objectsAt, parsedFieldPath } from "../crd/resources.ts";
import { inManifest, type JudgedManifest, type ManifestOutcomes } from "../manifest/place.ts";

/** The default CRs of versions in service stay valid. */
export const defaultCrServed: Rule = {
  id: "default-cr-served",
  group: "default-cr",
  severity: "error",
  waivable: true,
  demand: "The default CR of every version in service is valid for the new definition.",
  rationale:
    "lifecycle-manager creates the default CR once and never changes it. Every cluster whose users did not change it has that object: if the new definition refuses it, all these clusters break at once.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#see-a-breaking-change-break",
  judge: (context) => eachResources(context, judgeServed),
  bad: {
    change: bumpManifest("minimum: 1", "minimum: 2"),
    at: { file: manifestPath("1.2.0"), line: "minimum: 2" },
    also: ["crd-compatible", "default-cr-valid"],
  },
  good: { change: BUMP },
};

function* judgeServed({ against }: CustomResources, judged: JudgedManifest): ManifestOutcomes {
  const refusals = new Map<string, VersionsRefusal>();
  for (const { served, defaultCr } of against) {
    if (defaultCr?.verdict.kind === "not-evaluated")
      yield unjudged(`the default CR of ${served.version} was not judged: ${defaultCr.verdict.why}`, judged.template);
    if (defaultCr?.verdict.kind !== "refused") continue;
    for (const cause of causesToFix(defaultCr.verdict.causes)) {
      const key = JSON.stringify([defaultCr.index, defaultCr.apiVersion, causeText(cause)]);
      const known = refusals.get(key);
      if (known === undefined) refusals.set(key, { defaultCr, cause, versions: [served.version] });
      else known.versions.push(served.version);
    }
  }
  for (const refusal of refusals.values()) yield* complaint(refusal, judged);
}

/** A reason why a definition refuses default CRs, and the versions of these. */
interface VersionsRefusal {
  readonly defaultCr: ServedDefaultCr;
  readonly cause: StatusCause;
  readonly versions: string[];
}

function complaint({ defaultCr, cause, versions }: VersionsRefusal, judged: JudgedManifest): ManifestOutcomes {
  return objectsAt(judged, defaultCr.index).map((definition) =>
    inManifest(judged, definition, schemaPath(definition, defaultCr.apiVersion, cause.field), {
      message: `${definition.name} refuses the default CR of ${versions.join(", ")}: ${causeText(cause)}.`,
      remedy: "Accept it, or make the change in a new version of the API, with a conversion.",
    }),
  );
}

/** The place in a definition that has the schema of a field, or of its nearest parent. */
function schemaPath({ value }: ManifestObject, apiVersion: string, field: string): YamlPath {
  const versions = fieldAt(value, ["spec", "versions"]);
  const index = Array.isArray(versions)
    ? versions.findIndex((version: unknown) => apiVersion.endsWith(`/${String(textAt(version, ["name"]))}`))
    : -1;
  const steps = parsedFieldPath(field).flatMap((step) => (typeof step === "number" ? ["items"] : ["properties", step]));
  return ["spec", "versions", index, "schema", "openAPIV3Schema", ...steps];
}
