import { fieldAt, textAt } from "../catalogue/import/fields.ts";
import type { Inputs } from "../catalogue/inputs.ts";
import { readManifest, type Manifest } from "../catalogue/manifest.ts";
import type { Registry as RegistrySettings } from "../catalogue/settings.ts";
import type { Template } from "../catalogue/template.ts";
import { parseImage } from "../kubernetes/image.ts";
import { Fault, type Links, type Registry, type Run } from "../ports.ts";
import { attempt } from "./askAll.ts";
import { componentNameOf, type Sides } from "./component.ts";
import type { Component, CorruptComponent, Fact } from "./facts.ts";

/** As large as a layer of a component version may be. Bytes. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/** Where component versions are. */
export interface ComponentSource {
  readonly questions: Sides;
  /** `undefined` when kyma-modules.yaml names no registry. */
  readonly settings: RegistrySettings | undefined;
  readonly registry: Registry;
}

/**
 * The component version of a template. What lifecycle-manager could not read is known, and bad: it is not the world
 * that is broken, but the component version.
 */
export async function fetchComponent(
  template: Template,
  { questions, settings, registry }: ComponentSource,
  run: Run,
): Promise<Fact<Component | CorruptComponent | undefined>> {
  if (settings === undefined) return { kind: "unknown", why: "kyma-modules.yaml names no registry" };
  const { baseUrl } = settings;
  const name = componentNameOf(questions, template);
  if (name === undefined) return { kind: "unknown", why: "its module.yaml says no ocmComponentName" };
  const fetch = async (): Promise<Component | CorruptComponent | undefined> => {
    try {
      const found = await registry.component(baseUrl, name, template.version, run);
      if (found === undefined) return undefined;
      const { rawManifest, descriptor, digest } = found;
      const source = `${baseUrl}/component-descriptors/${name}:${template.version}`;
      return { descriptor, digest, ...(rawManifest && { manifest: readManifest(source, false, rawManifest) }) };
    } catch (error) {
      if (error instanceof Fault && error.code === "REGISTRY_CORRUPT") return { corrupt: error.message };
      throw error;
    }
  };
  return attempt(registryName(`${baseUrl}/${name}`), fetch, run);
}

/** What a version installs: what its component version holds, else what stands behind the link of its template. */
export async function fetchManifest(
  template: Template,
  inputs: Inputs | undefined,
  component: Fact<Component | CorruptComponent | undefined>,
  links: Links,
  run: Run,
): Promise<Fact<Manifest>> {
  const published = component.kind === "known" ? component.value : undefined;
  if (published !== undefined && "manifest" in published) return { kind: "known", value: published.manifest };
  const link = linkOf(template) ?? linkOfInputs(inputs);
  if (link === undefined)
    return component.kind === "unknown"
      ? component
      : { kind: "unknown", why: "its manifest is neither in the repository nor in the registry, and nothing links it" };
  const file = await attempt(link, () => links.download(link, MAX_MANIFEST_BYTES, run), run);
  if (file.kind === "unknown") return file;
  if (file.value === undefined) return { kind: "unknown", why: `there is nothing at ${link}` };
  return { kind: "known", value: readManifest(link, false, file.value) };
}

function linkOf({ object }: Template): string | undefined {
  const resources = fieldAt(object, ["spec", "resources"]);
  const links = Array.isArray(resources) ? resources : [];
  return textAt(
    links.find((resource: unknown) => textAt(resource, ["name"]) === "rawManifest"),
    ["link"],
  );
}

function linkOfInputs(inputs: Inputs | undefined): string | undefined {
  const manifest = inputs?.manifest;
  return manifest !== undefined && "link" in manifest ? manifest.link : undefined;
}

/** The registry of a reference, for messages. */
export function registryName(reference: string): string {
  return `the registry ${parseImage(reference)?.registry ?? reference}`;
}
