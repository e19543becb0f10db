import { versionKey } from "../../../catalogue/lookup.ts";
import { causesToFix, causeText } from "../../../kubernetes/validation.ts";
import { BUMP } from "../../example.ts";
import { judgedVersions } from "../../context.ts";
import type { JudgedSample } from "../../facts.ts";
import { unjudged, violation, type Rule, type Unjudged, type Violation } from "../../rule.ts";
import { eachResources, parsedFieldPath } from "./resources.ts";
import { templateSubject, unreadable, type JudgedManifest } from "../manifest/place.ts";

const SAMPLE = (replicas: number): string => `apiVersion: operator.example.com/v1
kind: Sample
metadata:
  name: usual
spec:
  replicas: ${replicas}
`;
const FILE = "modules/sample/1.2.0/samples/usual.yaml";

/** Samples are valid objects. */
export const sampleValid: Rule = {
  id: "sample-valid",
  group: "crd",
  severity: "error",
  waivable: true,
  demand: "Every object in samples/ of a version can be read, and is valid for a definition of the version's manifest.",
  rationale:
    "Samples are what users really write: they prove breaking changes, and a smoke test installs them. A refused sample proves nothing, and every later version would be compared with objects that cannot exist.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
  judge: function* (context) {
    for (const template of judgedVersions(context))
      for (const { findings } of context.facts.inputs.get(versionKey(template))?.samples ?? [])
        yield* findings.map((finding) => unreadable(finding, template));
    yield* eachResources(context, ({ samples }, judged) => samples.flatMap((sample) => judgeSample(sample, judged)));
  },
  bad: { change: { ...BUMP, [FILE]: SAMPLE(9) }, at: { file: FILE, line: "replicas: 9" } },
  good: { change: { ...BUMP, [FILE]: SAMPLE(3) } },
};

function judgeSample(
  { object, verdict }: JudgedSample,
  { template }: JudgedManifest,
): readonly (Violation | Unjudged)[] {
  const at = (path: readonly (string | number)[], message: string, remedy: string): Violation =>
    violation(object.file, [...object.path, ...path], { message, remedy }, templateSubject(template));
  switch (verdict.kind) {
    case "accepted":
      return [];
    case "no-definition":
      return [
        at(
          ["kind"],
          `The sample is of the kind ${object.kind} (${object.apiVersion}), which the manifest does not define.`,
          "Add the definition to the manifest, or remove the sample.",
        ),
      ];
    case "not-evaluated":
      return [unjudged(`the sample ${object.name} was not judged: ${verdict.why}`, template)];
    case "refused":
      return causesToFix(verdict.causes).map((cause) =>
        at(
          parsedFieldPath(cause.field),
          `The sample is refused: ${causeText(cause)}.`,
          "Correct the sample, or the definition.",
        ),
      );
  }
}
