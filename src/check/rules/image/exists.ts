import type { Context } from "../../context.ts";
import { BUMP, manifestPath } from "../../example.ts";
import { gatheredFact } from "../../facts.ts";
import { unjudged, type Rule } from "../../rule.ts";
import type { ManifestOutcomes } from "../manifest/place.ts";
import { atImage, eachImage, type ImageUse } from "./place.ts";

const IMAGE = "registry.example.com/prod/sample-manager:1.2.0";
const DIGEST = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** Every image is in its registry. */
export const imageExists: Rule = {
  id: "image-exists",
  group: "image",
  severity: "error",
  waivable: true,
  demand: "The registry has every image, with the digest that the manifest names.",
  rationale:
    "A pod whose image cannot be pulled never starts: after an upgrade the old pod keeps running, and a new cluster has none. If tag and digest differ, the tag was pushed again after the manifest was written.",
  source: "https://github.com/opencontainers/distribution-spec",
  judge: (context) => eachImage(context, (use) => existing(context, use)),
  bad: {
    change: BUMP,
    outside: { images: { [IMAGE]: undefined } },
    at: { file: manifestPath("1.2.0"), line: IMAGE },
  },
  good: { change: BUMP, outside: { images: { [IMAGE]: DIGEST } } },
};

function existing({ facts }: Context, use: ImageUse): ManifestOutcomes {
  const { text, image, judged } = use;
  if (image === undefined) return [];
  const fact = gatheredFact(facts.images, text);
  if (fact.kind === "unknown") return [unjudged(fact.why, judged.template)];
  if (fact.value === undefined)
    return [atImage(use, `the registry has no ${text}.`, "Push the image first, or correct the reference.")];
  if (image.digest === undefined || image.digest === fact.value) return [];
  const message = `the registry has ${text} under the digest ${fact.value}.`;
  return [atImage(use, message, "Find out who pushed the tag again, and use the digest that was tested.")];
}
