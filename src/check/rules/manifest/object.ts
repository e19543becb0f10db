import { versionKey } from "../../../catalogue/lookup.ts";
import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import { objectProblems } from "../../../kubernetes/objectProblems.ts";
import { causesToFix, causeText } from "../../../kubernetes/validation.ts";
import { namedObject } from "../../../kubernetes/workload.ts";
import type { Context } from "../../context.ts";
import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import type { ServerVerdict } from "../../facts.ts";
import { unjudged, type Rule } from "../../rule.ts";
import { eachManifest, inManifest, type JudgedManifest, type ManifestOutcomes } from "./place.ts";

/** Kubernetes accepts every object of a manifest. */
export const manifestObject: Rule = {
  id: "manifest-object",
  group: "manifest",
  severity: "error",
  waivable: true,
  demand: "Every object of a manifest has a kind, a name and metadata that Kubernetes accepts.",
  rationale:
    "lifecycle-manager applies a manifest object by object. One that the API server refuses leaves the module half installed, and every reconciliation fails again until a corrected version arrives.",
  source: "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/",
  judge: (context) =>
    eachManifest(context, function* (judged) {
      for (const object of judged.manifest.objects)
        for (const { path, what, allowed } of objectProblems(object)) {
          const message = `${namedObject(object)}: ${what}.`;
          yield inManifest(judged, object, path, { message, remedy: `Allowed: ${allowed}.` });
        }
      yield* byServer(context, judged);
    }),
  bad: {
    change: bumpManifest("labels: { app: sample-manager }", "labels: { app: sample-manager, tier: -core }"),
    at: { file: manifestPath("1.2.0"), line: "tier: -core" },
  },
  good: { change: BUMP },
};

/** Refusals of a real API server, if one was asked. */
function* byServer({ facts }: Context, judged: JudgedManifest): ManifestOutcomes {
  const { template, manifest } = judged;
  const fact = facts.server.get(versionKey(template));
  if (fact?.kind === "unknown") yield unjudged(fact.why, template);
  if (fact?.kind !== "known") return;
  for (const verdict of fact.value) {
    const object = manifest.objects[verdict.index];
    if (object !== undefined) yield* said(object, verdict, judged);
  }
}

function* said(object: ManifestObject, { verdict }: ServerVerdict, judged: JudgedManifest): ManifestOutcomes {
  switch (verdict.kind) {
    case "accepted":
      return;
    case "not-evaluated":
      yield unjudged(`the API server did not judge ${namedObject(object)}: ${verdict.why}`, judged.template);
      return;
    case "refused":
      for (const cause of causesToFix(verdict.causes)) {
        const message = `The API server refuses ${namedObject(object)}: ${causeText(cause)}.`;
        // Kubernetes writes a field as `spec.ports[0].port`.
        const steps = [...cause.field.matchAll(/[^.[\]]+/g)].map(([step]) => step);
        const path = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
        yield inManifest(judged, object, path, { message, remedy: "Correct the object." });
      }
  }
}
