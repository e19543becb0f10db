import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { extract } from "tar-stream";
import type { RegistrySettings } from "../../catalogue/settings.ts";
import { textAt } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { type Image, parseImage } from "../../kubernetes/image.ts";
import { rawManifestsOf, readDescriptor } from "../../kubernetes/ocm/descriptor.ts";
import { type ComponentVersion, Fault, type Registry, type Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import type { Limits } from "../http/client.ts";
import { openWeb } from "../http/web.ts";
import { authorizedWeb } from "./authorization.ts";
import { dockerCredentials, type CredentialVariables } from "./credentials.ts";
import { corrupt, nameOf, type Repositories, repositories } from "./repository.ts";

/**
 * The registries of images, with the credentials of the Docker configuration.
 *
 * Uses plain HTTP only for the host in `settings`, and only if they allow it, regardless of the scheme of an address.
 * `variables` are used for proxies and the Docker configuration. Concurrent requests for one reference share one
 * request.
 */
export function openRegistry(
  settings: RegistrySettings | undefined,
  variables: CredentialVariables,
  limits?: Limits,
): Registry {
  const plain = settings?.plainHttp === true ? componentImage(settings.baseUrl, "none", "none").registry : undefined;
  const plainHost =
    plain !== undefined && URL.canParse(`http://${plain}`) ? new URL(`http://${plain}`).host : undefined;
  const web = openWeb(
    "REGISTRY",
    variables,
    ({ protocol, host }) => protocol === "https:" || (protocol === "http:" && host === plainHost),
    limits,
  );
  const source = repositories(authorizedWeb(web, dockerCredentials(variables)), (host) => host === plain);
  const [digests, components] = [shared<string | undefined>(), shared<Awaited<ReturnType<Registry["component"]>>>()];
  return {
    digestOf: async (reference, run) => {
      const image = parseImage(reference);
      if (image === undefined)
        throw new Fault("REGISTRY_REFUSED", `${reference} is not an image reference. Correct it.`);
      return digests(nameOf(image), () => source.digestOf(image, run));
    },
    component: async (baseUrl, name, version, run) => {
      const image = componentImage(baseUrl, name, version);
      return components(nameOf(image), () => fetchComponent(source, image, run));
    },
    hasLayer: async (repository, digest, run) => {
      const image = parseImage(repository.replace(/^[a-z]+:\/\//i, ""));
      if (image === undefined)
        throw new Fault("REGISTRY_REFUSED", `${repository} is not an image repository. Correct it.`);
      return source.hasBlob(image, digest, run);
    },
  };
}

/** Shares concurrent work for the same key. */
function shared<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}

const MAX_CONFIG_BYTES = 4 * 1024 * 1024;
/** Larger manifests do not fit into lifecycle-manager either. */
const MAX_LAYER_BYTES = 64 * 1024 * 1024;

const DESCRIPTOR_FILE = "component-descriptor.yaml";

/** The image that stores a component version. Source: OCM specification, OCI mapping of component versions. */
function componentImage(baseUrl: string, name: string, version: string): Image {
  const base = baseUrl.replace(/^[a-z]+:\/\//i, "").replace(/\/+$/, "");
  // A tag cannot contain the + of a version.
  const reference = `${base}/component-descriptors/${name}:${version.replaceAll("+", ".build-")}`;
  const image = parseImage(reference);
  if (image !== undefined) return image;
  throw new Fault(
    "CONFIGURATION",
    `${reference} is not a valid image reference. Correct the registry's baseUrl, or the component name.`,
  );
}

/** Reads a component version as lifecycle-manager reads it; `undefined` if it does not exist. */
async function fetchComponent(source: Repositories, image: Image, run: Run): Promise<ComponentVersion | undefined> {
  const manifest = await source.manifest(image, run);
  if (manifest === undefined) return undefined;
  const subject = `${nameOf(image)}, OCM component version`;
  const layer = (digest: string, maxBytes: number): Promise<Buffer> => source.blob(image, digest, maxBytes, run);
  const configDigest = digestAt(parseJson(manifest.bytes), ["config", "digest"], subject);
  const config = parseJson(await layer(configDigest, MAX_CONFIG_BYTES));
  const descriptorDigest = digestAt(config, ["componentDescriptorLayer", "digest"], subject);
  const archive = await inflated(await layer(descriptorDigest, MAX_LAYER_BYTES), MAX_LAYER_BYTES, subject);
  const file = await fileIn(archive, (name) => name === DESCRIPTOR_FILE, DESCRIPTOR_FILE, subject);
  const reading = readYaml(DESCRIPTOR_FILE, { kind: "bytes", bytes: file });
  if (reading.kind === "refused") {
    const [first] = reading.findings;
    const place = `line ${first?.line ?? 1}: ${first?.message ?? ""}`;
    throw corrupt(subject, `its ${DESCRIPTOR_FILE} cannot be read (${place})`);
  }
  const descriptor = reading.file.value;
  const rawManifest = await fetchRawManifest(descriptor, layer, subject);
  return { descriptor, digest: manifest.digest, rawManifest };
}

async function fetchRawManifest(
  descriptor: unknown,
  layer: (digest: string, maxBytes: number) => Promise<Buffer>,
  subject: string,
): Promise<Uint8Array | undefined> {
  const reading = readDescriptor(descriptor);
  const [found, ...others] = reading.kind === "read" ? rawManifestsOf(reading.descriptor) : [];
  const digest = found?.access.localReference;
  if (digest === undefined || others.length > 0) return undefined;
  const bytes = await inflated(await layer(digest, MAX_LAYER_BYTES), MAX_LAYER_BYTES, subject);
  if (found?.access.mediaType !== "application/x-tar") return bytes;
  // Like lifecycle-manager, uses the first file, except those that macOS adds to archives.
  return fileIn(bytes, (name) => !name.startsWith("._"), "a manifest", subject);
}

function digestAt(value: unknown, path: readonly string[], subject: string): string {
  const digest = textAt(value, path);
  if (digest !== undefined) return digest;
  throw corrupt(subject, `it has no ${path.join(".")}, so it is not a component version`);
}

const inflate = promisify(gunzip);

/** Decompresses a layer. Like lifecycle-manager, detects gzip by the content, not by the media type. */
async function inflated(bytes: Buffer, maxBytes: number, subject: string): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await inflate(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw corrupt(subject, `its gzip cannot be unpacked into ${maxBytes} bytes (${problemText(error)})`);
  }
}

/** The first file of a tar archive whose name `wants` accepts. */
async function fileIn(
  archive: Buffer,
  wants: (name: string) => boolean,
  what: string,
  subject: string,
): Promise<Buffer> {
  const entries = extract();
  entries.end(archive);
  try {
    for await (const entry of entries) {
      if (entry.header.type === "file" && wants(entry.header.name)) {
        return Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>));
      }
      entry.resume();
    }
  } catch (error) {
    throw corrupt(subject, `it is not a tar archive (${problemText(error)})`);
  }
  throw corrupt(subject, `it is not a tar archive with ${what}`);
}
