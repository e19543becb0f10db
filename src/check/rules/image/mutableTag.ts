import { manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { atImage, eachImage, withImage } from "./place.ts";

const MUTABLE = ["latest", "main", "master", "head", "trunk", "dev", "develop", "edge", "nightly", "snapshot"];

/** No tag that is meant to move. */
export const imageMutableTag: Rule = {
  id: "image-mutable-tag",
  group: "image",
  severity: "error",
  waivable: true,
  demand: "No image has a tag that is meant to move, such as latest or main, unless a digest pins it.",
  rationale:
    "Such a tag means another image tomorrow. The next node pulls something else than was tested, and the version cannot be restored, since its content is no longer known.",
  source: "https://github.com/kyma-project/modulectl, image tags of raw manifests",
  judge: (context) =>
    eachImage(context, (use) => {
      const { tag, digest } = use.image ?? {};
      if (tag === undefined || digest !== undefined || !MUTABLE.includes(tag.toLowerCase())) return [];
      return [atImage(use, `the tag ${tag} moves.`, "Use the tag of a release, or add the digest.")];
    }),
  bad: {
    change: withImage("registry.example.com/prod/proxy:latest"),
    at: { file: manifestPath("1.2.0"), line: "proxy:latest" },
  },
  good: { change: withImage("registry.example.com/prod/proxy:2.1.0") },
};
