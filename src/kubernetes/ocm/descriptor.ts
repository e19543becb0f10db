import type { ValidateFunction } from "ajv";
import { fieldAt, isRecord, textAt } from "../../document/fields.ts";
import { schemaCompiler } from "../../document/schema/compile.ts";
import { problemsOf, type SchemaProblem } from "../../document/schema/problem.ts";
import { parseImage } from "../image.ts";
import { V2_SCHEMA, V3_API_VERSIONS, V3_SCHEMA } from "./schema.ts";

/** A component descriptor as it is written; a text is empty where it has none. */
export interface Descriptor {
  readonly schema: "v2" | "v3";
  /** `kyma-project.io/module/istio`. */
  readonly name: string;
  readonly version: string;
  readonly repositoryContexts: readonly RepositoryContext[];
  readonly resources: readonly DescriptorResource[];
}

/** A place of a descriptor: keys of maps, indices of lists. */
export type DescriptorPath = readonly (string | number)[];

/** A repository that the component version is or was in. The last one counts. */
export interface RepositoryContext {
  readonly type: string;
  readonly baseUrl: string;
  readonly subPath: string | undefined;
  readonly componentNameMapping: string;
  readonly path: DescriptorPath;
}

/** Something that belongs to a component version. */
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
export interface Label {
  readonly name: string;
  readonly value: unknown;
}

/** Where the content of a resource is. */
export interface ResourceAccess {
  /** Without its version: `localBlob`, `ociArtifact`. */
  readonly type: string;
  /** The image, of the types that `imagesOf` gives. */
  readonly imageReference: string | undefined;
  /** The digest of the layer: `localReference` of a localBlob, `digest` of a localOciBlob. */
  readonly localReference: string | undefined;
  readonly mediaType: string | undefined;
}

/** One thing in which a descriptor is not what OCM asks for. The message begins after the name of the place. */
export type DescriptorProblem = SchemaProblem;

/** What became of a value that should be a component descriptor. */
export type DescriptorReading =
  /** `{}`, which stands for the descriptor in the registry. */
  | { readonly kind: "empty" }
  /** Nothing that a descriptor could be read from. */
  | { readonly kind: "unknown"; readonly problems: readonly DescriptorProblem[] }
  /** As far as it could be read; `problems` is empty for a descriptor without fault. */
  | { readonly kind: "read"; readonly descriptor: Descriptor; readonly problems: readonly DescriptorProblem[] };

/**
 * Reads a component descriptor: `spec.descriptor` of a ModuleTemplate, or `component-descriptor.yaml` of a registry.
 * Tells everything that is wrong with its structure, and reads the rest nevertheless. Never throws.
 */
export function readDescriptor(value: unknown): DescriptorReading {
  if (!isRecord(value)) return unknown(`must be a map of properties, but is ${kindOf(value)}`);
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

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return value === undefined || value === null ? "empty" : `a ${typeof value}`;
}

/** Where a schema keeps what. */
interface Layout {
  readonly schema: "v2" | "v3";
  readonly identity: readonly string[];
  readonly contexts: readonly string[];
  readonly resources: readonly string[];
}

function read(value: unknown, { schema, identity, contexts, resources }: Layout): DescriptorReading {
  const validate = validatorOf(schema);
  validate(value);
  const descriptor: Descriptor = {
    schema,
    name: textAt(value, [...identity, "name"]) ?? "",
    version: textAt(value, [...identity, "version"]) ?? "",
    repositoryContexts: itemsAt(value, contexts).map(repositoryContext),
    resources: itemsAt(value, resources).map(resource),
  };
  return {
    kind: "read",
    descriptor,
    problems: [...problemsOf(validate.errors ?? [], value), ...imageProblems(descriptor)],
  };
}

// Compiled when first needed: it takes longer than judging a thousand descriptors.
const validators = new Map<Descriptor["schema"], ValidateFunction>();

function validatorOf(schema: Descriptor["schema"]): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validator = schemaCompiler().compile(schema === "v2" ? V2_SCHEMA : V3_SCHEMA);
  validators.set(schema, validator);
  return validator;
}

interface DescriptorItem {
  readonly path: DescriptorPath;
  readonly value: unknown;
}

/** The maps of a list; what else stands there has been told. */
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
      type: text("access", "type").replace(/\/v\d+$/, ""),
      imageReference: textAt(value, ["access", "imageReference"]),
      localReference: textAt(value, ["access", "localReference"]) ?? textAt(value, ["access", "digest"]),
      mediaType: textAt(value, ["access", "mediaType"]),
    },
    path,
  };
}

/** An image of a descriptor. */
export interface DescriptorImage {
  /** As it is written. */
  readonly reference: string;
  readonly resource: DescriptorResource;
}

const IMAGE_ACCESS: ReadonlySet<string> = new Set(["ociArtifact", "ociRegistry", "ociImage", "OCIImage"]);

/** The images that a component version refers to, in the order of the descriptor. */
export function imagesOf({ resources }: Descriptor): readonly DescriptorImage[] {
  return resources.flatMap((found): DescriptorImage[] => {
    const { type, imageReference } = found.access;
    return IMAGE_ACCESS.has(type) && imageReference !== undefined
      ? [{ reference: imageReference, resource: found }]
      : [];
  });
}

/** The resources that are the raw manifest. lifecycle-manager needs exactly one. */
export function rawManifestsOf({ resources }: Descriptor): readonly DescriptorResource[] {
  return resources.filter(({ name }) => name === "raw-manifest");
}

/** The resource that is the default CR, if the descriptor has one. */
export function defaultCrOf({ resources }: Descriptor): DescriptorResource | undefined {
  return resources.find(({ name }) => name === "default-cr");
}

function imageProblems(descriptor: Descriptor): readonly DescriptorProblem[] {
  return imagesOf(descriptor)
    .filter(({ reference }) => parseImage(reference) === undefined)
    .map(({ reference, resource: { path } }) => ({
      path: [...path, "access", "imageReference"],
      message: `must be an image reference, but is ${JSON.stringify(reference.slice(0, 60))}`,
      remedy: "Write registry/repository:tag, or registry/repository@sha256:….",
    }));
}
