import { commonComponentName, registryThatCounts, type Sides } from "../catalogue/component.ts";
import { type Inputs, localManifest } from "../catalogue/inputs.ts";
import type { RegistrySettings } from "../catalogue/settings.ts";
import type { Template } from "../catalogue/template.ts";
import { listAt, textAt } from "../document/fields.ts";
import { type Manifest, readManifest } from "../kubernetes/manifest.ts";
import { whyNotInstallable } from "../kubernetes/ocm/installable.ts";
import { Fault, type Links, type Registry, type Run } from "../ports.ts";

/** A component version in a registry. */
export interface PublishedComponent {
  readonly descriptor: unknown;
  /** The digest of its image manifest. */
  readonly digest: string;
  /** Its manifest; absent unless its descriptor names exactly one raw manifest in the same image. */
  readonly manifest?: Manifest;
}

/** A component version that lifecycle-manager cannot read. */
export interface CorruptComponent {
  /** The defect, as full sentences. */
  readonly corrupt: string;
}

/** A component version that nothing leads to. */
export interface UnnamedComponent {
  /** A clause in lower case, without a full stop. */
  readonly unnamed: string;
}

/** What a registry has of a version; `undefined`: nothing. */
export type ReadComponent = PublishedComponent | CorruptComponent | UnnamedComponent | undefined;

/**
 * Reads the component version of a template, from the registry and under the name that the base says, where it says any.
 * Throws the Faults of the registry.
 */
export async function readComponent(
  template: Template,
  sides: Sides,
  registry: (settings: RegistrySettings) => Promise<Registry>,
  run: Run,
): Promise<ReadComponent> {
  const settings = registryThatCounts(sides);
  if (settings === undefined) return { unnamed: "kyma-modules.yaml names no registry" };
  const name = commonComponentName(sides, template);
  if (name === undefined) return { unnamed: "its module.yaml has no ocmComponentName" };
  const { baseUrl } = settings;
  try {
    const found = await (await registry(settings)).component(baseUrl, name, template.version, run);
    if (found === undefined) return undefined;
    const { rawManifest, descriptor, digest } = found;
    const source = `${baseUrl}/component-descriptors/${name}:${template.version}`;
    return { descriptor, digest, ...(rawManifest && { manifest: readManifest(source, false, rawManifest) }) };
  } catch (error) {
    if (error instanceof Fault && error.code === "REGISTRY_CORRUPT") return { corrupt: error.message };
    throw error;
  }
}

/** Why a version has no manifest. */
export type NoManifest =
  /** Neither the repository nor the registry has one, and nothing links to one. */
  | { readonly kind: "nowhere" }
  | { readonly kind: "dead-link"; readonly link: string }
  /** lifecycle-manager cannot install its component version, for this reason (full sentences). */
  | { readonly kind: "not-installable"; readonly why: string };

/** The sources of manifests. */
export interface ManifestSources {
  readonly inputs: Inputs | undefined;
  /** Called if the repository does not hold the manifest. */
  readonly component: () => Promise<ReadComponent>;
  /** Opens the client of links on first use. */
  readonly links: () => Promise<Links>;
}

/** The largest manifest, which is the largest layer of a component version. Bytes. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/**
 * The manifest of a version. The one in the repository, which the gate compares with the component version; else that of
 * the component version, since lifecycle-manager installs it; a link counts only for a version that is not published.
 * Throws Faults.
 */
export async function versionManifest(
  template: Template,
  { inputs, component, links }: ManifestSources,
  run: Run,
): Promise<Manifest | NoManifest> {
  const local = localManifest(inputs);
  if (local !== undefined) return local;
  const found = await component();
  if (found !== undefined && !("unnamed" in found)) return installedBy(found);
  const link = manifestLink(template, inputs);
  if (link === undefined) return { kind: "nowhere" };
  const bytes = await (await links()).download(link, MAX_MANIFEST_BYTES, run);
  return bytes === undefined ? { kind: "dead-link", link } : readManifest(link, false, bytes);
}

function installedBy(found: PublishedComponent | CorruptComponent): Manifest | NoManifest {
  if ("corrupt" in found) return { kind: "not-installable", why: found.corrupt };
  const why = whyNotInstallable(found.descriptor);
  if (why === undefined && found.manifest !== undefined) return found.manifest;
  return { kind: "not-installable", why: why ?? "It does not name exactly one raw-manifest that it contains." };
}

/** The link to the manifest of a version: that of its template, else that of its inputs. */
export function manifestLink({ object }: Template, inputs: Inputs | undefined): string | undefined {
  const named = listAt(object, ["spec", "resources"]).find((resource) => textAt(resource, ["name"]) === "rawManifest");
  const manifest = inputs?.manifest;
  return textAt(named, ["link"]) ?? (manifest !== undefined && "link" in manifest ? manifest.link : undefined);
}
