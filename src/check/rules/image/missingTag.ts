import { manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { atImage, eachImage, withImage, type ImageUse } from "./place.ts";
import type { ManifestOutcomes } from "../manifest/place.ts";

/** Every image has a tag or a digest. */
export const imageMissingTag: Rule = {
  id: "image-missing-tag",
  group: "image",
  severity: "error",
  waivable: true,
  demand: "Every image is a reference with a tag or a digest.",
  rationale:
    "Without either, a node pulls the image that is called latest at that time. Two clusters with the same version then run different programs, and a restart of a pod is an unplanned upgrade.",
  source: "https://kubernetes.io/docs/concepts/containers/images/#image-names",
  judge: (context) => eachImage(context, untagged),
  bad: {
    change: withImage("registry.example.com/prod/proxy"),
    at: { file: manifestPath("1.2.0"), line: "prod/proxy" },
  },
  good: { change: withImage("registry.example.com/prod/proxy:2.1.0") },
};

function untagged(use: ImageUse): ManifestOutcomes {
  const { text, image } = use;
  if (image === undefined) {
    const message = text === "" ? "a container names no image." : `${text} is not an image reference.`;
    return [atImage(use, message, "Write registry/repository:tag.")];
  }
  if (image.tag !== undefined || image.digest !== undefined) return [];
  return [atImage(use, `${text} has neither a tag nor a digest.`, "Add the tag of the version that was tested.")];
}
