import type { Sides } from "../catalogue/component.ts";
import { type Inputs, readInputs } from "../catalogue/inputs.ts";
import type { RegistrySettings } from "../catalogue/settings.ts";
import type { Template } from "../catalogue/template.ts";
import { canonicalHash } from "../document/canonical.ts";
import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import type { SnapshotFile } from "../document/snapshot.ts";
import { rawManifestDigest, descriptorRawManifests, readDescriptor } from "../kubernetes/ocm/descriptor.ts";
import type { Manifest, ManifestObject } from "../kubernetes/manifest.ts";
import { tooLarge } from "../kubernetes/objectSize.ts";
import { namedObject } from "../kubernetes/workload.ts";
import { objectText } from "../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { Fault, type FaultCode, type Links, type Registry, type Run } from "../ports.ts";
import { versionManifest, readComponent, type NoManifest, type ReadComponent } from "../reading/manifest.ts";
import type { SmokeVersion } from "./path.ts";

/** The objects that a version installs, and those that users write for it. */
export interface ModuleContent {
  readonly version: SmokeVersion;
  /** Where the manifest comes from. */
  readonly source: string;
  /** In the order of the manifest. */
  readonly objects: readonly KubernetesObject[];
  /** The default CR, as the template has it. */
  readonly defaultCr: KubernetesObject | undefined;
  /** Objects that users really write: `samples/*.yaml`. */
  readonly samples: readonly KubernetesObject[];
  /** SHA-256 of all of it. */
  readonly digest: string;
}

/** Why a version has no content; the module is to blame. */
export interface NoContent {
  readonly said: string;
  readonly remedy: string;
}

/** The sources of contents. */
export interface ContentWorld {
  /** The base says what it says of the registry and of components: a change cannot choose them. */
  readonly sides: Sides;
  /** Files of the repository below `modules/`. */
  readonly files: ReadonlyMap<string, SnapshotFile>;
  /** For manifests that are only available by a link. */
  readonly links: () => Promise<Links>;
  /** Opens the client of a registry on first use. */
  readonly registry: (settings: RegistrySettings) => Promise<Registry>;
}

/** Faults of a link or a registry for which the module is to blame. */
const BLAMED: ReadonlySet<FaultCode> = new Set<FaultCode>(["LINK_REFUSED", "REGISTRY_CORRUPT", "CONFIGURATION"]);

/** The content of a version. Throws Faults of the world. */
export async function moduleContent(
  version: SmokeVersion,
  world: ContentWorld,
  run: Run,
): Promise<ModuleContent | NoContent> {
  const { template } = version;
  const inputs = readInputs(world.files, template.module, template.version);
  try {
    const component = (): Promise<ReadComponent> => readComponent(template, world.sides, world.registry, run);
    const manifest = await versionManifest(template, { inputs, component, links: world.links }, run);
    return "kind" in manifest
      ? none(template, manifest)
      : (otherManifest(template, manifest) ?? read(version, inputs, manifest));
  } catch (error) {
    if (!(error instanceof Fault) || !BLAMED.has(error.code)) throw error;
    return { said: error.message, remedy: "Correct the manifest's link, or publish the version again." };
  }
}

/** A test of another manifest than the one that the template names would say nothing about the version. */
function otherManifest({ object }: Template, { source, hash }: Manifest): NoContent | undefined {
  const reading = readDescriptor(fieldAt(object, ["spec", "descriptor"]));
  const digest = reading.kind === "read" ? rawManifestDigest(descriptorRawManifests(reading.descriptor)[0]) : undefined;
  if (digest === undefined || digest === `sha256:${hash}`) return undefined;
  return {
    said: `The raw-manifest of the template is ${digest}, but ${source} is sha256:${hash}.`,
    remedy: "Build the template from this manifest, or replace this manifest by the one that it was built from.",
  };
}

function none({ module, version }: Template, reason: NoManifest): NoContent {
  switch (reason.kind) {
    case "nowhere": {
      const remedy = `Put it into modules/${module}/${version}/manifest.yaml, link it as rawManifest, or publish the component version.`;
      return { said: `There is no manifest of ${module} ${version}.`, remedy };
    }
    case "dead-link":
      return {
        said: `There is nothing at ${reason.link}.`,
        remedy: "Upload the manifest there, or correct the link.",
      };
    case "not-installable": {
      const said = `lifecycle-manager cannot install the component version of ${module} ${version}. ${reason.why}`;
      return { said, remedy: "Publish it again; check names what has to be corrected." };
    }
  }
}

function read(version: SmokeVersion, { samples }: Inputs, manifest: Manifest): ModuleContent | NoContent {
  const files = [manifest, ...samples];
  const [broken] = files.flatMap(({ findings }) => findings);
  if (broken !== undefined) {
    const { file, line, message, remedy } = broken;
    return { said: `${file}:${line}: ${message}`, remedy };
  }
  const nameless = files.flatMap(({ objects }) => objects).find(({ kind, name }) => kind === "" || name === "");
  if (nameless !== undefined) {
    const { kind, file } = nameless;
    const what = kind === "" ? "An object without a kind" : `A ${kind} without a name`;
    return { said: `${what} is in ${file.path}.`, remedy: "Every object names its apiVersion, kind and name." };
  }
  const large = manifest.objects.find((object) => tooLarge(object) !== undefined);
  if (large !== undefined)
    return {
      said: `${namedObject(large)} ${String(tooLarge(large))}.`,
      remedy: "Split the object, or shorten descriptions.",
    };
  const objects = manifest.objects.map(plainObject);
  if (objects.length === 0)
    return { said: `${manifest.source} contains no object.`, remedy: "Publish the manifest that installs the module." };
  const defaultCr = templateDefaultCr(version.template);
  const examples = samples.flatMap((sample) => sample.objects.map(plainObject));
  const digest = canonicalHash([objects, defaultCr, examples]);
  return { version, source: manifest.source, objects, defaultCr, samples: examples, digest };
}

function plainObject({ value, apiVersion, kind, name }: ManifestObject): KubernetesObject {
  const { metadata } = value;
  return { ...value, apiVersion, kind, metadata: { ...(isRecord(metadata) ? metadata : {}), name } };
}

/** lifecycle-manager puts a default CR without a namespace into kyma-system. */
function templateDefaultCr({ object }: Template): KubernetesObject | undefined {
  const data = object.spec["data"];
  const [apiVersion, kind] = [textAt(data, ["apiVersion"]), textAt(data, ["kind"])];
  const name = textAt(data, ["metadata", "name"]);
  if (!isRecord(data) || apiVersion === undefined || kind === undefined || name === undefined) return undefined;
  const metadata = isRecord(data["metadata"]) ? data["metadata"] : {};
  return { ...data, apiVersion, kind, metadata: { namespace: "kyma-system", ...metadata, name } };
}

/** The contents that are available. */
export function knownContents(contents: readonly (ModuleContent | NoContent | undefined)[]): readonly ModuleContent[] {
  return contents.flatMap((content) => (content === undefined || "said" in content ? [] : [content]));
}

/** The default CR and the samples. A sample of the same name replaces the default CR. */
export function whatUsersWrite({ defaultCr, samples }: ModuleContent): readonly KubernetesObject[] {
  const all = [...(defaultCr === undefined ? [] : [defaultCr]), ...samples];
  return [...new Map(all.map((object) => [objectText(object), object])).values()];
}
