import { isDeepStrictEqual } from "node:util";
import { versionKey } from "../../../catalogue/lookup.ts";
import type { Template } from "../../../catalogue/template.ts";
import { readDescriptor, type Descriptor, type DescriptorReading } from "../../../kubernetes/ocm/descriptor.ts";
import type { YamlPath } from "../../../document/yaml/tree.ts";
import { embeddedDescriptor } from "../../../catalogue/component.ts";
import type { Context } from "../../context.ts";
import { bumpTemplate, edit, type ExampleFiles } from "../../example.ts";
import { gatheredFact, type Fact } from "../../facts.ts";
import { inTemplate, type Complaint, type Unjudged, type Violation } from "../../rule.ts";
import { eachKnown } from "../eachKnown.ts";
import type { ManifestOutcomes } from "../manifest/place.ts";

/** A template to judge, and the reading of its descriptor. */
interface JudgedReading {
  readonly template: Template;
  /** Whether the template embeds the descriptor; otherwise it is the one in the registry. */
  readonly isEmbedded: boolean;
  readonly reading: Exclude<DescriptorReading, { readonly kind: "empty" }>;
}

/** A template to judge, and its descriptor as far as it could be read. */
export interface JudgedDescriptor extends Omit<JudgedReading, "reading"> {
  readonly descriptor: Descriptor;
}

/** The reading of an empty descriptor in the registry. */
const NOTHING: JudgedReading["reading"] = {
  kind: "unknown",
  problems: [{ path: [], message: "must describe a component version, but is empty", remedy: "Publish it again." }],
};

/**
 * Judges every descriptor: the one that a template embeds, for lifecycle-manager up to 1.7, and the one in the registry,
 * unless they are equal. Another rule reports a version that the registry does not have, or that cannot be read there.
 */
export function eachReading(
  context: Context,
  judge: (judged: JudgedReading) => ManifestOutcomes,
): Generator<Violation | Unjudged> {
  return eachKnown(
    context.templates,
    (template) => descriptorReadings(context, template),
    function* (_, readings) {
      for (const reading of readings) yield* judge(reading);
    },
  );
}

/** Judges every descriptor that can be read at all. */
export function eachDescriptor(
  context: Context,
  judge: (judged: JudgedDescriptor) => ManifestOutcomes,
): Generator<Violation | Unjudged> {
  return eachReading(context, ({ template, isEmbedded, reading }) =>
    reading.kind === "read" ? judge({ template, isEmbedded, descriptor: reading.descriptor }) : [],
  );
}

function descriptorReadings({ facts }: Context, template: Template): Fact<readonly JudgedReading[]> {
  const embedded = embeddedDescriptor(template);
  const own = embedded.kind === "empty" ? [] : [{ template, isEmbedded: true, reading: embedded }];
  const component = gatheredFact(facts.components, versionKey(template));
  if (component.kind === "unknown") return own.length === 0 ? component : { kind: "known", value: own };
  if (component.value === undefined || "corrupt" in component.value) return { kind: "known", value: own };
  const { descriptor } = component.value;
  if (own.length > 0 && isDeepStrictEqual(descriptor, template.object.spec.descriptor))
    return { kind: "known", value: own };
  const published = readDescriptor(descriptor);
  const reading = published.kind === "empty" ? NOTHING : published;
  return { kind: "known", value: [...own, { template, isEmbedded: false, reading }] };
}

/**
 * A violation at the value at `path` of a descriptor. If the descriptor is in the registry, the violation is at the
 * line of the template that leaves it to the registry.
 */
export function inDescriptor(
  { template, isEmbedded }: Omit<JudgedReading, "reading">,
  path: YamlPath,
  complaint: Complaint,
): Violation {
  return isEmbedded
    ? inTemplate(template, ["spec", "descriptor", ...path], complaint)
    : inTemplate(template, ["spec", "descriptor"], {
        ...complaint,
        message: `In the registry: ${complaint.message}`,
      });
}

/** The path of the resources in a descriptor. */
export function resourcesPath({ schema }: Descriptor): YamlPath {
  return [schema === "v2" ? "component" : "spec", "resources"];
}

const DESCRIPTOR_TEXT = `  descriptor:
    meta: { schemaVersion: v2 }
    component:
      name: example.com/module/sample
      version: 1.2.0
      provider: example.com
      repositoryContexts:
        - { type: OCIRegistry, baseUrl: registry.example.com/prod, componentNameMapping: urlPath }
      sources: []
      componentReferences: []
      resources:
        - name: raw-manifest
          version: 1.2.0
          type: directoryTree
          relation: local
          access: { type: localBlob, localReference: "sha256:${"0a".repeat(32)}", mediaType: application/x-tar }
        - name: sample-manager
          version: 1.2.0
          type: ociArtifact
          relation: external
          access: { type: ociArtifact, imageReference: "registry.example.com/prod/sample-manager:1.2.0" }
`;

/** The bump of the sample with a descriptor in its template, of which one text is replaced. */
export function withDescriptor(from = "", to = ""): ExampleFiles {
  return bumpTemplate("  descriptor: {}\n", edit(DESCRIPTOR_TEXT, from, to));
}
