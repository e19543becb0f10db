import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import { objectImages, type UsedImage } from "../../../kubernetes/imagesInManifest.ts";
import { namedObject } from "../../../kubernetes/workload.ts";
import type { Context } from "../../context.ts";
import { bumpManifest, type ExampleFiles } from "../../example.ts";
import type { Severity } from "../../../document/finding.ts";
import type { Unjudged, Violation } from "../../rule.ts";
import { eachObject, inManifest, type JudgedManifest, type ManifestOutcomes } from "../manifest/place.ts";

/** An image, and its place in a manifest. */
export interface ImageUse extends UsedImage {
  readonly object: ManifestObject;
  readonly judged: JudgedManifest;
}

/** Judges every image that a manifest runs or mounts. */
export function eachImage(
  context: Context,
  judge: (use: ImageUse) => ManifestOutcomes,
): Generator<Violation | Unjudged> {
  return eachObject(context, function* (object, judged) {
    for (const image of objectImages(object)) yield* judge({ ...image, object, judged });
  });
}

/** A violation at an image; `complaint` follows the name of the workload in the message. */
export function atImage(use: ImageUse, complaint: string, remedy: string, severity?: Severity): Violation {
  const { judged, object, path } = use;
  const message = `${namedObject(object)}: ${complaint}`;
  return inManifest(judged, object, path, { message, remedy, ...(severity && { severity }) });
}

/** The bump of the sample with a second image. */
export function withImage(image: string): ExampleFiles {
  const container = `        - name: proxy
          image: ${image}
          securityContext:
            allowPrivilegeEscalation: false
            capabilities: { drop: [ALL] }
`;
  return bumpManifest("      containers:\n", `      initContainers:\n${container}      containers:\n`);
}
