import type { ManifestObject } from "./manifest.ts";
import { textAt } from "../document/fields.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import { parseImage, type Image } from "./image.ts";
import { containersOf, mapsAt, podTemplateOf } from "./workload.ts";

/** One image that an object of a manifest runs or mounts. */
export interface UsedImage {
  readonly path: YamlPath;
  /** The original text; empty when a container has no image. */
  readonly text: string;
  /** `undefined` when the text is not a reference. */
  readonly image: Image | undefined;
}

/** The images of all containers of an object, and of its image volumes. */
export function imagesOf(object: ManifestObject): readonly UsedImage[] {
  const pods = podTemplateOf(object);
  if (pods === undefined) return [];
  const run = containersOf(pods).map(({ path, value }) => usedImage([...path, "image"], textAt(value, ["image"])));
  const mounted = mapsAt(pods.spec, "volumes")
    .filter(({ value }) => value["image"] !== undefined)
    .map(({ index, value }) =>
      usedImage([...pods.path, "spec", "volumes", index, "image", "reference"], textAt(value, ["image", "reference"])),
    );
  return [...run, ...mounted];
}

function usedImage(path: YamlPath, text = ""): UsedImage {
  return { path, text, image: parseImage(text) };
}
