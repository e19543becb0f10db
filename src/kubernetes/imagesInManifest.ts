import type { ManifestObject } from "./manifest.ts";
import { textAt } from "../document/fields.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import { parseImage, type Image } from "./image.ts";
import { podContainers, mapsAt, workloadPodTemplate, type Container } from "./workload.ts";

/** One image that an object of a manifest runs, mounts, or names in an environment variable. */
export interface UsedImage {
  readonly path: YamlPath;
  /** The original text; empty when a container has no image. */
  readonly text: string;
  /** `undefined` when the text is not a reference. */
  readonly image: Image | undefined;
}

/**
 * The images of all containers of an object, of its image volumes, and of its environment variables, by which operators
 * learn the images of their workloads.
 */
export function objectImages(object: ManifestObject): readonly UsedImage[] {
  const pods = workloadPodTemplate(object);
  if (pods === undefined) return [];
  const containers = podContainers(pods);
  const run = containers.map(({ path, value }) => usedImage([...path, "image"], textAt(value, ["image"])));
  const mounted = mapsAt(pods.spec, "volumes")
    .filter(({ value }) => value["image"] !== undefined)
    .map(({ index, value }) =>
      usedImage([...pods.path, "spec", "volumes", index, "image", "reference"], textAt(value, ["image", "reference"])),
    );
  return [...run, ...mounted, ...(OPERATORS.has(object.kind) ? containers.flatMap(imagesInEnvironment) : [])];
}

/** The kinds of which modulectl puts the images in environment variables into the descriptor. */
const OPERATORS: ReadonlySet<string> = new Set(["Deployment", "StatefulSet"]);

/** The values that are references with a tag or a digest. Source: ExtractImagesFromManifest of modulectl. */
function imagesInEnvironment({ path, value }: Container): readonly UsedImage[] {
  return mapsAt(value, "env")
    .map(({ index, value: variable }) => usedImage([...path, "env", index, "value"], textAt(variable, ["value"])))
    .filter(({ text, image }) => (image?.tag ?? image?.digest) !== undefined && !ADDRESS.test(text));
}

/** A host with a port, which reads like an image of Docker Hub, but none there has a dot in its name. */
const ADDRESS = /^(?:localhost|[^/]*\.[^/]*):\d{1,5}$/;

function usedImage(path: YamlPath, text = ""): UsedImage {
  return { path, text, image: parseImage(text) };
}
