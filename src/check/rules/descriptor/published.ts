import { versionKey } from "../../../catalogue/lookup.ts";
import { canonicalJson } from "../../../document/canonical.ts";
import type { Template } from "../../../catalogue/template.ts";
import type { Manifest } from "../../../kubernetes/manifest.ts";
import { readDescriptor, type Descriptor, type DescriptorResource } from "../../../kubernetes/ocm/descriptor.ts";
import { whyNotInstallable } from "../../../kubernetes/ocm/installable.ts";
import { commonComponentName, embeddedDescriptor } from "../../../catalogue/component.ts";
import type { Context } from "../../context.ts";
import { BUMP, FAST, manifestText } from "../../example.ts";
import type { CorruptComponent, PublishedComponent } from "../../../reading/manifest.ts";
import { gatheredFact } from "../../facts.ts";
import { inTemplate, type Rule, type Violation } from "../../rule.ts";
import { eachKnown } from "../eachKnown.ts";
import type { ManifestOutcomes } from "../manifest/place.ts";
import { inDescriptor } from "./place.ts";

const PUBLISHED = {
  meta: { schemaVersion: "v2" },
  component: {
    name: "example.com/module/sample",
    version: "1.2.0",
    provider: "example.com",
    repositoryContexts: [{ type: "OCIRegistry", baseUrl: "registry.example.com/prod" }],
    sources: [],
    componentReferences: [],
    resources: [
      {
        name: "raw-manifest",
        version: "1.2.0",
        type: "directoryTree",
        relation: "local",
        access: { type: "localBlob", localReference: `sha256:${"0a".repeat(32)}`, mediaType: "application/x-tar" },
      },
      {
        name: "sample-manager",
        version: "1.2.0",
        type: "ociArtifact",
        relation: "external",
        access: { type: "ociArtifact", imageReference: "registry.example.com/prod/sample-manager:1.2.0" },
      },
    ],
  },
};

/** The registry has the component version, and it is the one that was reviewed. */
export const descriptorPublished: Rule = {
  id: "descriptor-published",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand:
    "The registry has the complete component version, with the resources and the manifest that the repository shows.",
  rationale:
    "lifecycle-manager installs what the registry has, not what was reviewed here. While the artefact is missing, the module is in Error, and the protection against downgrades is lost. Another artefact is another program.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#what-a-sync-refuses",
  judge: (context) =>
    eachKnown(
      context.templates,
      (template) => gatheredFact(context.facts.components, versionKey(template)),
      (template, component) => published(context, template, component),
    ),
  bad: {
    change: BUMP,
    outside: { components: { "sample 1.2.0": undefined } },
    at: { file: FAST, line: "version: 1.2.0" },
  },
  good: {
    change: BUMP,
    outside: {
      components: {
        "sample 1.2.0": {
          descriptor: PUBLISHED,
          digest: "sha256:0b0b",
          rawManifest: new TextEncoder().encode(manifestText("1.2.0")),
        },
      },
    },
  },
};

function* published(
  context: Context,
  template: Template,
  component: PublishedComponent | CorruptComponent | undefined,
): Generator<Violation> {
  const name = `${String(commonComponentName(context, template))}:${template.version}`;
  const atVersion = (message: string, remedy: string): Violation =>
    inTemplate(template, ["spec", "version"], { message, remedy });
  if (component === undefined) {
    yield atVersion(`The registry has no ${name}.`, "Publish the component version first, then submit its template.");
  } else if ("corrupt" in component) yield atVersion(component.corrupt, "Publish it again.");
  else {
    yield* otherResources(template, component);
    if (component.manifest !== undefined) yield* otherManifest(context, template, component.manifest);
    // Other rules report a descriptor that lifecycle-manager refuses.
    else if (whyNotInstallable(component.descriptor) === undefined)
      yield atVersion(
        `${name} in the registry does not name exactly one raw-manifest that it contains.`,
        "Publish it again, with one resource of that name and its layer.",
      );
  }
}

/** Differences in content between the descriptor of the template and that of the registry. */
function* otherResources(template: Template, component: PublishedComponent): ManifestOutcomes & Generator<Violation> {
  const [ours, theirs] = [embeddedDescriptor(template), readDescriptor(component.descriptor)];
  if (ours.kind !== "read" || theirs.kind !== "read") return;
  const judged = { template, isEmbedded: true };
  const remedy = "Use the template that was built together with the published component version.";
  const [mine, known] = [contents(ours.descriptor), contents(theirs.descriptor)];
  for (const [name, { resource, content }] of mine) {
    const other = known.get(name)?.content;
    if (other === content) continue;
    const message = `${name} is ${content}, but the registry has ${other ?? "none"}.`;
    yield inDescriptor(judged, resource.path, { message, remedy });
  }
  for (const [name, { content }] of known)
    if (!mine.has(name)) {
      const message = `${name} (${content}) is missing, but the registry has it.`;
      yield inDescriptor(judged, [], { message, remedy });
    }
}

interface PublishedContent {
  readonly resource: DescriptorResource;
  /** Digest or image; the type of access where it has neither. */
  readonly content: string;
}

function contents({ resources }: Descriptor): ReadonlyMap<string, PublishedContent> {
  return new Map(
    resources.map((resource) => {
      const { imageReference, localReference, type } = resource.access;
      const content = imageReference ?? localReference ?? type;
      return [`${resource.name} ${resource.version}`, { resource, content }];
    }),
  );
}

/** A difference between the judged manifest and the published one. */
function* otherManifest({ facts }: Context, template: Template, published: Manifest): Generator<Violation> {
  const local = gatheredFact(facts.manifests, versionKey(template));
  if (local.kind === "unknown" || !local.value.isLocal) return;
  const text = ({ objects }: Manifest): string => canonicalJson(objects.map(({ value }) => value));
  if (text(local.value) === text(published)) return;
  const { module, version } = template;
  const message = `${published.source} contains another manifest than this one.`;
  const remedy = "Publish this manifest as a new version, or replace it by the published one.";
  const place = { file: local.value.source, position: { line: 1, column: 1 } };
  yield { kind: "violation", ...place, message, remedy, subject: { module, version } };
}
