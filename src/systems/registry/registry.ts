import { promisify } from "node:util";
import { gunzip, zstdDecompress, type ZlibOptions, type ZstdOptions } from "node:zlib";
import { extract } from "tar-stream";
import type { RegistrySettings } from "../../catalogue/settings.ts";
import { fieldAt, textAt } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import { printable } from "../../document/printable.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { type Image, parseImage } from "../../kubernetes/image.ts";
import { descriptorRawManifests, readDescriptor } from "../../kubernetes/ocm/descriptor.ts";
import { ARCHIVE_TYPE, isLayerDigest } from "../../kubernetes/ocm/installable.ts";
import { type ComponentVersion, Fault, type Registry, type Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import type { Limits } from "../http/client.ts";
import { openWeb } from "../http/web.ts";
import { authorizedWeb } from "./authorization.ts";
import { dockerCredentials, type CredentialVariables } from "./credentials.ts";
import { corrupt, imageName, type Repositories, repositories } from "./repository.ts";

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
      return digests(imageName(image), () => source.digestOf(image, run));
    },
    component: async (baseUrl, name, version, run) => {
      const image = componentImage(baseUrl, name, version);
      return components(imageName(image), () => fetchComponent(source, image, run));
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

/** Source: lifecycle-manager, internal/service/componentdescriptor/untar.go. */
const MAX_DESCRIPTOR_BYTES = 100 * 1024;

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
  const subject = `${imageName(image)}, OCM component version`;
  const stored = parseJson(manifest.bytes);
  if (Array.isArray(fieldAt(stored, ["manifests"])))
    throw corrupt(subject, "it is an index of images, and lifecycle-manager reads one image", CLASSIC);
  const layer = async (digest: string): Promise<Buffer> =>
    unpacked(await source.blob(image, digest, MAX_LAYER_BYTES, run), subject);
  const config = await source.blob(image, digestAt(stored, ["config", "digest"], subject), MAX_CONFIG_BYTES, run);
  const descriptorDigest = digestAt(parseJson(config), ["componentDescriptorLayer", "digest"], subject);
  const descriptor = descriptorIn(await descriptorFile(await layer(descriptorDigest), subject), subject);
  return { descriptor, digest: manifest.digest, rawManifest: await fetchRawManifest(descriptor, layer, subject) };
}

const CLASSIC = "Push it with the classic ocm program, from 0.15 on.";

/** The file with the descriptor. Source: lifecycle-manager, internal/service/componentdescriptor/untar.go. */
async function descriptorFile(layer: Buffer, subject: string): Promise<Buffer> {
  if (parseJson(layer) !== undefined)
    throw corrupt(
      subject,
      `its descriptor is JSON, and lifecycle-manager reads a tar with ${DESCRIPTOR_FILE}`,
      CLASSIC,
    );
  const files = await filesIn(layer, subject);
  const file = files.find(({ name }) => name === DESCRIPTOR_FILE);
  if (file === undefined) {
    const names = files.map(({ name }) => printable(name)).join(", ");
    throw corrupt(subject, `it is not a tar archive with ${DESCRIPTOR_FILE}, but with ${names || "no file"}`);
  }
  if (file.bytes.length <= MAX_DESCRIPTOR_BYTES) return file.bytes;
  const why = `its descriptor has ${file.bytes.length} bytes, and lifecycle-manager refuses more than ${MAX_DESCRIPTOR_BYTES}`;
  throw corrupt(subject, why, "Leave out labels and resources that the module does not need.");
}

function descriptorIn(bytes: Buffer, subject: string): unknown {
  const reading = readYaml(DESCRIPTOR_FILE, { kind: "bytes", bytes });
  if (reading.kind === "read") return reading.file.value;
  const [{ line, message, remedy } = { line: 1, message: "", remedy: "" }] = reading.findings;
  throw corrupt(subject, `its ${DESCRIPTOR_FILE} cannot be read (line ${line}: ${message})`, remedy);
}

/** The layer with the raw manifest, unpacked; `undefined` unless the descriptor names exactly one layer. */
async function fetchRawManifest(
  descriptor: unknown,
  layer: (digest: string) => Promise<Buffer>,
  subject: string,
): Promise<Uint8Array | undefined> {
  const reading = readDescriptor(descriptor);
  const [found, ...others] = reading.kind === "read" ? descriptorRawManifests(reading.descriptor) : [];
  const { localReference: digest, mediaType = "" } = found?.access ?? {};
  if (digest === undefined || !isLayerDigest(digest) || others.length > 0) return undefined;
  return manifestIn(await layer(digest), mediaType, subject);
}

/** The content of a layer, as lifecycle-manager reads a layer of this type. */
async function manifestIn(bytes: Buffer, mediaType: string, subject: string): Promise<Buffer> {
  if (mediaType !== ARCHIVE_TYPE) {
    if (bytes.toString("latin1", 257, 262) !== "ustar") return bytes;
    const why = `its raw-manifest is a tar of the type ${printable(mediaType)}, which lifecycle-manager reads as YAML`;
    throw corrupt(subject, why, `Push it as YAML, or as a tar of the type ${ARCHIVE_TYPE}.`);
  }
  // Like lifecycle-manager, uses the first file, except those that macOS adds to archives.
  const file = (await filesIn(bytes, subject)).find(({ name }) => !name.startsWith("._"));
  if (file === undefined) throw corrupt(subject, "its raw-manifest is a tar archive without a file");
  return file.bytes;
}

function digestAt(value: unknown, path: readonly string[], subject: string): string {
  const digest = textAt(value, path);
  if (digest !== undefined) return digest;
  throw corrupt(subject, `it has no ${path.join(".")}, so it is not a component version`);
}

/** What a compressed layer begins with, in hexadecimal digits. */
const COMPRESSIONS = [
  { begin: "1f8b", unpack: promisify<Buffer, ZlibOptions, Buffer>(gunzip) },
  { begin: "28b52ffd", unpack: promisify<Buffer, ZstdOptions, Buffer>(zstdDecompress) },
];

/** Decompresses a layer. Like lifecycle-manager, detects the compression by the content, not by the media type. */
async function unpacked(bytes: Buffer, subject: string): Promise<Buffer> {
  const found = COMPRESSIONS.find(({ begin }) => bytes.toString("hex", 0, 4).startsWith(begin));
  if (found === undefined) return bytes;
  try {
    return await found.unpack(bytes, { maxOutputLength: MAX_LAYER_BYTES });
  } catch (error) {
    throw corrupt(subject, `a layer cannot be unpacked into ${MAX_LAYER_BYTES} bytes (${problemText(error)})`);
  }
}

interface ArchivedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The files of a tar archive, without folders and links. */
async function filesIn(archive: Buffer, subject: string): Promise<readonly ArchivedFile[]> {
  const entries = extract();
  entries.end(archive);
  const files: ArchivedFile[] = [];
  try {
    for await (const entry of entries) {
      const bytes = Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>));
      if (entry.header.type === "file") files.push({ name: entry.header.name, bytes });
    }
  } catch (error) {
    throw corrupt(subject, `it is not a tar archive (${problemText(error)})`);
  }
  return files;
}
