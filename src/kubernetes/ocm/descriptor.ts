import type { ValidateFunction } from "ajv";
import { fieldAt, isRecord, textAt } from "../../document/fields.ts";
import { schemaCompiler } from "../../document/schema/compile.ts";
import { schemaProblems, type SchemaProblem } from "../../document/schema/problem.ts";
import { parseImage } from "../image.ts";
import { V2_SCHEMA, V3_API_VERSIONS, V3_SCHEMA } from "./schema.ts";

/** A component descriptor; missing texts are empty. */
export interface Descriptor {
  readonly schema: "v2" | "v3";
  /** Such as `kyma-project.io/module/istio`. */
  readonly name: string;
  readonly version: string;
  readonly repositoryContexts: readonly RepositoryContext[];
  readonly resources: readonly DescriptorResource[];
}

/** A place in a descriptor: keys of maps, indexes of lists. */
type DescriptorPath = readonly (string | number)[];

/** A current or former repository of the component version. The last one counts. */
interface RepositoryContext {
  readonly type: string;
  readonly baseUrl: string;
  readonly subPath: string | undefined;
  readonly componentNameMapping: string;
  readonly path: DescriptorPath;
}

/** A resource of a component version. */
export interface DescriptorResource {
  readonly name: string;
  readonly type: string;
  readonly version: string;
  readonly relation: string;
  readonly labels: readonly Label[];
  readonly access: ResourceAccess;
  readonly path: DescriptorPath;
}

/** A label of a resource. */
interface Label {
  readonly name: string;
  readonly value: unknown;
}

/** The location of the content of a resource. */
interface ResourceAccess {
  /** As written: `localBlob`, `ociArtifact/v1`. */
  readonly type: string;
  /** The image, for the types that `imagesInDescriptor` selects. */
  readonly imageReference: string | undefined;
  /** The digest of the layer: `localReference` of a localBlob, `digest` of a localOciBlob. */
  readonly localReference: string | undefined;
  readonly mediaType: string | undefined;
}

/** One problem of a descriptor. The message begins after the name of the place. */
export type DescriptorProblem = SchemaProblem;

/** The result of reading a component descriptor. */
export type DescriptorReading =
  /** `{}`, which refers to the descriptor in the registry. */
  | { readonly kind: "empty" }
  /** Not a descriptor. */
  | { readonly kind: "unknown"; readonly problems: readonly DescriptorProblem[] }
  /** The readable part of a descriptor; `problems` is empty when it is valid. */
  | { readonly kind: "read"; readonly descriptor: Descriptor; readonly problems: readonly DescriptorProblem[] };

/**
 * Reads a component descriptor: `spec.descriptor` of a ModuleTemplate, or `component-descriptor.yaml` of a registry.
 * Reports all problems of its structure, and reads the valid part. Never throws.
 */
export function readDescriptor(value: unknown): DescriptorReading {
  if (!isRecord(value)) return unknown(`must be a map of properties, but is ${resourceType(value)}`);
  if (Object.keys(value).length === 0) return { kind: "empty" };
  if ("component" in value || "meta" in value) {
    const lists = { contexts: ["component", "repositoryContexts"], resources: ["component", "resources"] };
    return read(value, { schema: "v2", identity: ["component"], ...lists });
  }
  if ("apiVersion" in value) {
    const lists = { contexts: ["repositoryContexts"], resources: ["spec", "resources"] };
    return read(value, { schema: "v3", identity: ["metadata"], ...lists });
  }
  return unknown("must have meta.schemaVersion (v2) or apiVersion (v3), but has neither");
}

function unknown(message: string): DescriptorReading {
  const remedy = `Write {}, or a descriptor of OCM with schema v2 or ${V3_API_VERSIONS.join(", ")}.`;
  return { kind: "unknown", problems: [{ path: [], message, remedy }] };
}

function resourceType(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return value === undefined || value === null ? "empty" : `a ${typeof value}`;
}

/** The paths of a schema version. */
interface Layout {
  readonly schema: "v2" | "v3";
  readonly identity: readonly string[];
  readonly contexts: readonly string[];
  readonly resources: readonly string[];
}

function read(value: unknown, { schema, identity, contexts, resources }: Layout): DescriptorReading {
  const validate = validators.get(schema) ?? schemaCompiler().compile(schema === "v2" ? V2_SCHEMA : V3_SCHEMA);
  validators.set(schema, validate);
  validate(value);
  const descriptor: Descriptor = {
    schema,
    name: textAt(value, [...identity, "name"]) ?? "",
    version: textAt(value, [...identity, "version"]) ?? "",
    repositoryContexts: itemsAt(value, contexts).map(repositoryContext),
    resources: itemsAt(value, resources).map(resource),
  };
  return { kind: "read", descriptor, problems: schemaProblems(validate.errors ?? [], value) };
}

// Compiled on first use, since that takes longer than validating a thousand descriptors.
const validators = new Map<Descriptor["schema"], ValidateFunction>();

interface DescriptorItem {
  readonly path: DescriptorPath;
  readonly value: unknown;
}

/** The maps in a list; the schema reports all other items. */
function itemsAt(value: unknown, path: readonly string[]): readonly DescriptorItem[] {
  const list = fieldAt(value, path);
  if (!Array.isArray(list)) return [];
  const items = list.map((item: unknown, index): DescriptorItem => ({ path: [...path, index], value: item }));
  return items.filter((item) => isRecord(item.value));
}

function repositoryContext({ path, value }: DescriptorItem): RepositoryContext {
  const text = (key: string): string => textAt(value, [key]) ?? "";
  const names = { type: text("type"), baseUrl: text("baseUrl"), componentNameMapping: text("componentNameMapping") };
  return { ...names, subPath: textAt(value, ["subPath"]), path };
}

function resource({ path, value }: DescriptorItem): DescriptorResource {
  const text = (...at: readonly string[]): string => textAt(value, at) ?? "";
  return {
    name: text("name"),
    type: text("type"),
    version: text("version"),
    relation: text("relation"),
    labels: itemsAt(value, ["labels"]).map((label) => ({
      name: textAt(label.value, ["name"]) ?? "",
      value: fieldAt(label.value, ["value"]),
    })),
    access: {
      type: text("access", "type"),
      imageReference: textAt(value, ["access", "imageReference"]),
      localReference: textAt(value, ["access", "localReference"]) ?? textAt(value, ["access", "digest"]),
      mediaType: textAt(value, ["access", "mediaType"]),
    },
    path,
  };
}

/** An image of a descriptor. */
interface DescriptorImage {
  /** The original text. */
  readonly reference: string;
  readonly resource: DescriptorResource;
}

const IMAGE_ACCESS: ReadonlySet<string> = new Set(["ociArtifact", "ociRegistry", "ociImage", "OCIImage"]);

/** The images that a component version refers to, in the order of the descriptor. */
export function imagesInDescriptor({ resources }: Descriptor): readonly DescriptorImage[] {
  return resources.flatMap((found): DescriptorImage[] => {
    const { type, imageReference } = found.access;
    return IMAGE_ACCESS.has(type.replace(/\/v\d+$/, "")) && imageReference !== undefined
      ? [{ reference: imageReference, resource: found }]
      : [];
  });
}

/** The resources with the raw manifest. lifecycle-manager needs exactly one. */
export function descriptorRawManifests({ resources }: Descriptor): readonly DescriptorResource[] {
  return resources.filter(({ name }) => name === "raw-manifest");
}

/**
 * The digest of the raw manifest, `sha256:` and hexadecimal digits; `undefined` if the descriptor does not have that of
 * the YAML itself. The digest of an archive says nothing about the file in it.
 */
export function rawManifestDigest(resource: DescriptorResource | undefined): string | undefined {
  const { localReference, mediaType = "" } = resource?.access ?? {};
  return mediaType.endsWith("yaml") ? localReference : undefined;
}

/** The images that no node could pull, since they are not references. lifecycle-manager and OCM accept any text. */
export function imageProblems(descriptor: Descriptor): readonly DescriptorProblem[] {
  return imagesInDescriptor(descriptor)
    .filter(({ reference }) => parseImage(reference) === undefined)
    .map(({ reference, resource: { path } }) => ({
      path: [...path, "access", "imageReference"],
      message: `must be an image reference, but is ${JSON.stringify(reference.slice(0, 60))}`,
      remedy: "Write registry/repository:tag, or registry/repository@sha256:….",
    }));
}
