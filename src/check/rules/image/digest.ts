import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { atImage, eachImage } from "./place.ts";

const DIGEST = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** Images have a digest, if the release managers want it. */
export const imageDigest: Rule = {
  id: "image-digest",
  group: "image",
  severity: "note",
  waivable: true,
  demand: "Every image has a digest: an error where kyma-modules.yaml requires it, a note where it prefers it.",
  rationale:
    "A tag can be pushed again, and then the same version is another program on every node that pulls again. A digest identifies the content.",
  source: "kyma-modules.yaml, images.digest",
  judge: (context) => {
    const policy = (context.base ?? context.head).settings.images.digest;
    if (policy === undefined) return [];
    const severity = policy === "required" ? "error" : "note";
    return eachImage(context, (use) => {
      if (use.image === undefined || use.image.digest !== undefined) return [];
      return [atImage(use, `${use.text} has no digest.`, "Add the digest after the tag: name:tag@sha256:….", severity)];
    });
  },
  bad: { change: BUMP, at: { file: manifestPath("1.2.0"), line: "image: " } },
  good: { change: bumpManifest("sample-manager:1.2.0", `sample-manager:1.2.0@${DIGEST}`) },
};
