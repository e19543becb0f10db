import { versionKey } from "../../../catalogue/lookup.ts";
import { fieldAt } from "../../../document/fields.ts";
import type { Manifest } from "../../../kubernetes/manifest.ts";
import type { Template } from "../../../catalogue/template.ts";
import type { YamlFile } from "../../../document/yaml/read.ts";
import { parseImage } from "../../../kubernetes/image.ts";
import { objectImages as imagesUsedBy } from "../../../kubernetes/imagesInManifest.ts";
import { imagesInDescriptor } from "../../../kubernetes/ocm/descriptor.ts";
import type { Context } from "../../context.ts";
import { FAST } from "../../example.ts";
import { gatheredFact } from "../../facts.ts";
import { unjudged, violation, type Rule } from "../../rule.ts";
import type { ManifestOutcomes } from "../manifest/place.ts";
import { eachDescriptor, inDescriptor, resourcesPath, withDescriptor, type JudgedDescriptor } from "./place.ts";

/** Three lists of images agree: descriptor, manifest, and images to scan. */
export const descriptorImages: Rule = {
  id: "descriptor-images",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand: "The descriptor, the manifest and the list of images to scan name the same images.",
  rationale:
    "The descriptor decides which images are scanned and mirrored, and the manifest which ones run. An image that only the manifest names runs unscanned on every cluster, and is missing where only mirrored images exist.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#check-a-change",
  judge: function* (context) {
    yield* eachDescriptor(context, (judged) => againstManifest(context, judged));
    for (const template of context.templates) yield* declared(context, template);
  },
  bad: {
    change: withDescriptor("prod/sample-manager:1.2.0", "prod/sample-manager:1.1.0"),
    at: { file: FAST, line: "sample-manager:1.1.0" },
    alsoAt: [{ file: FAST, line: "resources:" }],
  },
  good: { change: withDescriptor() },
};

function* againstManifest({ facts }: Context, judged: JudgedDescriptor): ManifestOutcomes {
  const { template, descriptor } = judged;
  const fact = gatheredFact(facts.manifests, versionKey(template));
  if (fact.kind === "unknown") {
    yield unjudged(fact.why, template);
    return;
  }
  const [named, used] = [imagesInDescriptor(descriptor), usedImages(fact.value)];
  const names = new Set(named.map(({ reference }) => complete(reference)));
  for (const image of used.filter((candidate) => !names.has(candidate))) {
    const message = `The manifest runs ${image}, which no resource names.`;
    yield inDescriptor(judged, resourcesPath(descriptor), {
      message,
      remedy: "Add it as a resource, so that it is scanned and mirrored.",
    });
  }
  for (const { reference, resource } of named) {
    if (isUsed(reference, used, fact.value)) continue;
    const message = `${reference} is not in the manifest.`;
    yield inDescriptor(judged, [...resource.path, "access", "imageReference"], {
      message,
      remedy: "Name the images that run.",
    });
  }
}

/** Compares the declared list with the manifest. If that is unknown, `againstManifest` reports it. */
function* declared({ facts }: Context, template: Template): ManifestOutcomes {
  const key = versionKey(template);
  const file = facts.inputs.get(key)?.security;
  const fact = gatheredFact(facts.manifests, key);
  if (file === undefined || fact.kind === "unknown") return;
  const [list, used] = [declaredIn(file), usedImages(fact.value)];
  const names = new Set(list.map(({ reference }) => complete(reference)));
  for (const image of used.filter((candidate) => !names.has(candidate))) {
    const message = `The manifest runs ${image}, which is not declared.`;
    yield violation(file, ["bdba"], { message, remedy: "Add it to the list, so that it is scanned." }, template);
  }
  for (const { reference, path } of list) {
    if (isUsed(reference, used, fact.value)) continue;
    const message = `${reference} is declared, but not in the manifest.`;
    yield violation(file, path, { message, remedy: "Declare the images that run." }, template);
  }
}

interface DeclaredImage {
  readonly reference: string;
  readonly path: readonly (string | number)[];
}

/** Source: sec-scanners-config.yaml of Kyma's modules; protecode is the former name of bdba. */
function declaredIn({ value }: YamlFile): readonly DeclaredImage[] {
  return ["bdba", "protecode"].flatMap((scanner) => {
    const list = fieldAt(value, [scanner]);
    const references = Array.isArray(list) ? list : [];
    return references.map((reference: unknown, index) => ({ reference: String(reference), path: [scanner, index] }));
  });
}

function usedImages({ objects }: Manifest): readonly string[] {
  const images = objects.flatMap(imagesUsedBy).filter(({ image }) => image !== undefined);
  return [...new Set(images.map(({ text }) => complete(text)))];
}

/**
 * Whether a manifest uses an image. A mention is enough, since operators get the images of their workloads in many
 * different ways.
 */
function isUsed(reference: string, used: readonly string[], manifest: Manifest): boolean {
  return used.includes(complete(reference)) || manifest.mentions(reference);
}

/** The reference as every client completes it; unchanged if it is not a reference. */
function complete(reference: string): string {
  const image = parseImage(reference);
  if (image === undefined) return reference;
  const { registry, repository, tag, digest } = image;
  return `${registry}/${repository}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
}
