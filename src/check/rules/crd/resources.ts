import { versionKey } from "../../../catalogue/lookup.ts";
import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import { whyUnanswered } from "../../../kubernetes/validation.ts";
import type { YamlPath } from "../../../document/yaml/tree.ts";
import type { Context } from "../../context.ts";
import { gatheredFact, type CustomResources } from "../../facts.ts";
import { unjudged, type Unjudged, type Violation } from "../../rule.ts";
import { eachManifest, type JudgedManifest, type ManifestOutcomes } from "../manifest/place.ts";

/** Judges the custom resources of every version for which they are known. */
export function eachResources(
  context: Context,
  judge: (resources: CustomResources, judged: JudgedManifest) => ManifestOutcomes,
): Generator<Violation | Unjudged> {
  return eachManifest(context, function* (judged) {
    const fact = gatheredFact(context.facts.customResources, versionKey(judged.template));
    if (fact.kind === "unknown") yield unjudged(fact.why, judged.template);
    else yield* judge(fact.value, judged);
  });
}

/** Why Kubernetes' validation did not answer a question about a version; `undefined` if it answered all. */
export function unansweredIn({ definitions, defaultCr, samples, against }: CustomResources): string | undefined {
  const verdicts = [
    ...definitions.values(),
    ...samples.map(({ verdict }) => verdict),
    ...[defaultCr, ...against.map((served) => served.defaultCr?.verdict)],
  ].map((verdict) =>
    typeof verdict === "object" && verdict.kind !== "no-definition" ? whyUnanswered(verdict) : undefined,
  );
  const changes = against.flatMap((served) => served.definitions.flatMap((definition) => definition.changes));
  const unjudged = changes.filter(({ confirmation }) => confirmation === "unanswered").map(({ why }) => why);
  return [...verdicts, ...unjudged].find((why) => why !== undefined);
}

/** The object at an index of a manifest; none for an index that is not in it. */
export function objectsAt({ manifest }: JudgedManifest, index: number): readonly ManifestObject[] {
  return manifest.objects.slice(index, index + 1);
}

/** A field as Kubernetes writes it, as a path: `spec.ports[0].port`, `metadata.labels[example.com/a]`. */
export function parsedFieldPath(field: string): YamlPath {
  return [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, inner = step]) =>
    /^\d+$/.test(inner) ? Number(inner) : inner,
  );
}
