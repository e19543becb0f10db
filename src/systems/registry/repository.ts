import { createHash, getHashes } from "node:crypto";
import { fieldAt, textAt } from "../../document/fields.ts";
import { DEFAULT_REGISTRY, type Image } from "../../kubernetes/image.ts";
import { Fault, type Run } from "../../ports.ts";
import type { HttpAnswer } from "../http/answer.ts";
import type { AuthorizedWeb } from "./authorization.ts";

/** Larger layers do not fit into lifecycle-manager. */
const MAX_BLOB_BYTES = 64 * 1024 * 1024;
/** Most registries refuse larger manifests as well. */
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

/** What a manifest of a media type must list. */
const LISTS: ReadonlyMap<string, "layers" | "manifests"> = new Map([
  ["application/vnd.oci.image.manifest.v1+json", "layers"],
  ["application/vnd.oci.image.index.v1+json", "manifests"],
  ["application/vnd.docker.distribution.manifest.v2+json", "layers"],
  ["application/vnd.docker.distribution.manifest.list.v2+json", "manifests"],
]);
const ACCEPT = [...LISTS.keys()].join(", ");
const DIGEST = /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/;

/** The host of Docker Hub's registry, which differs from its name in references. */
const DOCKER_HUB_HOST = "registry-1.docker.io";

/** A manifest whose digest is verified. */
interface FetchedManifest {
  readonly bytes: Buffer;
  readonly digest: string;
}

/** A client for repositories in registries. Source: OCI distribution specification 1.1. */
export interface Repositories {
  /**
   * The digest of the manifest of an image; `undefined` if it does not exist. Throws REGISTRY_CORRUPT for anything else
   * that a server answers.
   */
  digestOf(image: Image, run: Run): Promise<string | undefined>;
  /** A manifest; `undefined` if it does not exist. */
  manifest(image: Image, run: Run): Promise<FetchedManifest | undefined>;
  /** A verified blob of the image's repository, up to `maxBytes`. Throws REGISTRY_CORRUPT if it does not exist. */
  blob(image: Image, digest: string, maxBytes: number, run: Run): Promise<Buffer>;
  /** Whether the image's repository has a blob. Throws REGISTRY_CORRUPT if it has other content under that digest. */
  hasBlob(image: Image, digest: string, run: Run): Promise<boolean>;
}

/** Opens repositories. `isPlain` tells which hosts use plain HTTP. */
export function repositories(web: AuthorizedWeb, isPlain: (host: string) => boolean): Repositories {
  const ask = asking(web, isPlain);
  const manifest: Repositories["manifest"] = async (image, run) => {
    const answer = await ask("GET", image, `manifests/${imageReference(image)}`, MAX_MANIFEST_BYTES, run);
    if (answer.status === 404) return undefined;
    expectSuccess(image, answer);
    const { bytes } = answer;
    const said = image.digest ?? saidDigest(answer);
    if (said !== undefined) verify(bytes, said, imageName(image));
    expectManifest(image, answer);
    return { bytes, digest: said ?? `sha256:${createHash("sha256").update(bytes).digest("hex")}` };
  };
  const blob: Repositories["blob"] = async (image, digest, maxBytes, run) => {
    const subject = subjectOfBlob(digest, image);
    const answer = await ask("GET", image, `blobs/${digest}`, maxBytes, run);
    if (answer.status === 404) throw corrupt(subject, `${image.registry} does not have it`);
    expectSuccess(image, answer);
    verify(answer.bytes, digest, subject);
    return answer.bytes;
  };
  return {
    manifest,
    digestOf: async (image, run) => {
      const answer = await ask("HEAD", image, `manifests/${imageReference(image)}`, MAX_MANIFEST_BYTES, run);
      if (answer.status === 404) return undefined;
      const said = saidDigest(answer) ?? "";
      // Not every registry supports HEAD, or sends digest and media type: then the content has to show both.
      if (answer.status === 405 || !DIGEST.test(said) || !LISTS.has(answerMediaType(answer)))
        return (await manifest(image, run))?.digest;
      expectSuccess(image, answer);
      if (image.digest !== undefined && said !== image.digest)
        throw corrupt(imageName(image), `${image.registry} has the digest ${said}`);
      return said;
    },
    hasBlob: async (image, digest, run) => {
      subjectOfBlob(digest, image);
      const answer = await ask("HEAD", image, `blobs/${digest}`, 0, run);
      if (answer.status === 404) return false;
      expectSuccess(image, answer);
      // Anything can answer 200, and storage that a registry redirects to sends no digest: then the content has to match.
      if (saidDigest(answer) !== digest) await blob(image, digest, MAX_BLOB_BYTES, run);
      return true;
    },
    blob,
  };
}

/** Sends requests about an image; `path` begins below its repository. */
function asking(web: AuthorizedWeb, isPlain: (host: string) => boolean) {
  return (method: "GET" | "HEAD", image: Image, path: string, maxBytes: number, run: Run): Promise<HttpAnswer> => {
    const { registry, repository } = image;
    const url = imageUrl(image, path, isPlain(registry));
    const headers = { accept: path.startsWith("manifests/") ? ACCEPT : "*/*" };
    return web.exchange({ method, url, headers, maxBytes, subject: imageName(image), registry, repository }, run);
  };
}

function imageUrl(image: Image, path: string, isPlain: boolean): URL {
  const host = image.registry === DEFAULT_REGISTRY ? DOCKER_HUB_HOST : image.registry;
  const url = `${isPlain ? "http" : "https"}://${host}/v2/${image.repository}/${path}`;
  if (URL.canParse(url)) return new URL(url);
  // A reference may have an invalid port.
  throw new Fault("REGISTRY_REFUSED", `${imageName(image)}: ${host} is not a valid host. Correct it.`);
}

/** The tag or digest to request: the one that Kubernetes would pull. */
function imageReference({ tag, digest }: Image): string {
  return digest ?? tag ?? "latest";
}

/** The name of an image for messages. */
export function imageName({ registry, repository, tag, digest }: Image): string {
  const name = `${registry}/${repository}${tag === undefined ? "" : `:${tag}`}`;
  return digest === undefined ? name : `${name}@${digest}`;
}

function saidDigest(answer: HttpAnswer): string | undefined {
  return textAt(answer, ["headers", "docker-content-digest"]);
}

/** The name of a blob for messages. Throws REGISTRY_CORRUPT for an invalid digest. */
function subjectOfBlob(digest: string, image: Image): string {
  const subject = `${imageName(image)}, blob ${digest}`;
  if (!/^[a-z0-9+._-]+:[a-f0-9]+$/.test(digest)) throw corrupt(subject, "its name is not a digest");
  return subject;
}

function expectSuccess(image: Image, { status }: HttpAnswer): true {
  if (status === 200) return true;
  const remedy = "Check that the address is a registry.";
  throw new Fault("REGISTRY_REFUSED", `${imageName(image)}: ${image.registry} answered ${status}. ${remedy}`);
}

/** The media type of an answer, without its parameters. */
function answerMediaType(answer: HttpAnswer): string {
  const [type = ""] = (textAt(answer, ["headers", "content-type"]) ?? "").split(";");
  return type.trim().toLowerCase();
}

/** Throws REGISTRY_CORRUPT for what is not a manifest of an image: any server can answer 200. */
function expectManifest(image: Image, answer: HttpAnswer): void {
  const value = answer.json();
  const type = textAt(value, ["mediaType"]) ?? answerMediaType(answer);
  const list = LISTS.get(type);
  const isManifest =
    list !== undefined && fieldAt(value, ["schemaVersion"]) === 2 && Array.isArray(fieldAt(value, [list]));
  if (isManifest) return;
  const why = `${image.registry} answered with ${type || "no media type"}, which is not the manifest of an image`;
  throw corrupt(imageName(image), why, "Check that the address is a registry, and that no proxy answers for it.");
}

/** Throws REGISTRY_CORRUPT unless `bytes` match `digest`. */
function verify(bytes: Uint8Array, digest: string, subject: string): void {
  const [algorithm = ""] = digest.split(":");
  if (!getHashes().includes(algorithm)) throw corrupt(subject, `its digest ${digest} has an unknown algorithm`);
  const found = `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
  if (found !== digest)
    throw corrupt(subject, `it should have the digest ${digest}, but the received content has ${found}`);
}

/** The fault for unexpected content. */
export function corrupt(
  subject: string,
  why: string,
  remedy = "Push it again, or ask the operator of the registry.",
): Fault {
  return new Fault("REGISTRY_CORRUPT", `${subject}: ${why}. ${remedy}`);
}
