import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "tar-stream";
import { onTestFinished, type TestContext } from "vitest";
import { freePorts } from "../../src/systems/embedded/controlPlane.ts";
import { startGuard } from "../../src/systems/embedded/guarded.ts";
import { findOnPath } from "../../src/systems/environment.ts";

/** A registry of the test's own. */
export interface OciRegistry {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** Sent with what the test pushes. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A registry that wants a password. `line` is one of an htpasswd file, with bcrypt. */
export interface Login {
  readonly user: string;
  readonly password: string;
  readonly line: string;
}

const PROGRAMS = ["docker-registry", "registry"];

/** Starts a real registry that ends with the test; skips the test where none is installed. */
export async function startRegistry(context: TestContext, login?: Login): Promise<OciRegistry> {
  const found = await Promise.all(PROGRAMS.map((program) => findOnPath(program, process.env)));
  const program = found.find((path) => path !== undefined);
  if (program === undefined) return context.skip("there is no docker-registry (the package of that name has it)");
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-registry-"));
  const [port = 0] = await freePorts(1);
  const host = `127.0.0.1:${port}`;
  writeFileSync(join(folder, "config.json"), JSON.stringify(configuration(folder, host, login)));
  if (login !== undefined) writeFileSync(join(folder, "htpasswd"), login.line);
  const guard = startGuard({ temporaryFolder: folder }, { PATH: process.env["PATH"] });
  onTestFinished(() => guard.stop());
  const args = ["serve", join(folder, "config.json")];
  guard.start([{ name: "registry", command: program, args, log: join(folder, "log"), stop: "kill" }]);
  await answers(host);
  return { host, headers: login === undefined ? {} : { authorization: basic(login) } };
}

/** The value of an `Authorization` header. */
export function basic({ user, password }: Pick<Login, "user" | "password">): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function configuration(folder: string, addr: string, login: Login | undefined): object {
  return {
    version: 0.1,
    log: { level: "error" },
    storage: { filesystem: { rootdirectory: join(folder, "storage") } },
    http: { addr },
    ...(login !== undefined && { auth: { htpasswd: { realm: "test", path: join(folder, "htpasswd") } } }),
  };
}

async function answers(host: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isThere = await fetch(`http://${host}/v2/`).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no registry answers at ${host}`);
}

/** A part of an image. */
export interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** The digest of a content. */
export function digestOf(content: Uint8Array | string): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** Pushes a blob. */
export async function pushBlob(
  { host, headers }: OciRegistry,
  repository: string,
  mediaType: string,
  content: Uint8Array | string,
): Promise<Blob> {
  const bytes = Buffer.from(content);
  const started = await fetch(`http://${host}/v2/${repository}/blobs/uploads/`, { method: "POST", headers });
  const url = new URL(started.headers.get("location") ?? "", `http://${host}`);
  url.searchParams.set("digest", digestOf(bytes));
  const type = { "content-type": "application/octet-stream" };
  const pushed = await fetch(url, { method: "PUT", headers: { ...headers, ...type }, body: bytes });
  if (pushed.status !== 201) throw new Error(`the blob was not taken: ${pushed.status} ${await pushed.text()}`);
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

/** Pushes an image manifest and gives its digest. */
export async function pushManifest(
  { host, headers }: OciRegistry,
  repository: string,
  tag: string,
  config: Blob,
  layers: readonly Blob[],
): Promise<string> {
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const body = JSON.stringify({ schemaVersion: 2, mediaType, config, layers });
  const url = `http://${host}/v2/${repository}/manifests/${tag}`;
  const pushed = await fetch(url, { method: "PUT", headers: { ...headers, "content-type": mediaType }, body });
  if (pushed.status !== 201) throw new Error(`the manifest was not taken: ${pushed.status} ${await pushed.text()}`);
  return digestOf(body);
}

/** Pushes an image that holds nothing, and gives its digest. */
export async function pushImage(registry: OciRegistry, repository: string, tag: string): Promise<string> {
  const config = await pushBlob(registry, repository, "application/vnd.oci.image.config.v1+json", "{}");
  return pushManifest(registry, repository, tag, config, []);
}

/** A tar archive with these files, in their order. */
export async function tarOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  return Buffer.concat(await Array.fromAsync(archive as AsyncIterable<Buffer>));
}

/** A component version to push. */
export interface PushedComponent {
  readonly name: string;
  readonly version: string;
  /** The content of the layer with the raw manifest. */
  readonly rawManifest: Uint8Array | string;
  /** Of the raw manifest: `application/x-tar`, or anything else. */
  readonly mediaType: string;
  /** The descriptor around the access of the raw manifest. */
  readonly descriptor: (access: RawManifestAccess) => unknown;
}

/** How a descriptor names the layer with the raw manifest. */
export interface RawManifestAccess {
  readonly type: "localBlob";
  readonly localReference: string;
  readonly mediaType: string;
}

/** Pushes a component version below `base` as modulectl does, and gives the digest of its manifest. */
export async function pushComponent(registry: OciRegistry, base: string, what: PushedComponent): Promise<string> {
  const { name, version, rawManifest, mediaType } = what;
  const repository = `${base}component-descriptors/${name}`;
  const manifest = await pushBlob(registry, repository, mediaType, rawManifest);
  const descriptor = what.descriptor({ type: "localBlob", localReference: manifest.digest, mediaType });
  const archive = await tarOf({ "component-descriptor.yaml": JSON.stringify(descriptor) });
  const layerType = "application/vnd.ocm.software.component-descriptor.v2+yaml+tar";
  const layer = await pushBlob(registry, repository, layerType, archive);
  const configType = "application/vnd.ocm.software.component.config.v1+json";
  const config = await pushBlob(registry, repository, configType, JSON.stringify({ componentDescriptorLayer: layer }));
  return pushManifest(registry, repository, version, config, [layer, manifest]);
}

/** A component version of a module, whose raw manifest is plain text. */
export interface ModuleComponent {
  /** `example.com/module/istio`. */
  readonly name: string;
  readonly version: string;
  readonly rawManifest: string;
}

const RAW_TYPE = "application/x-yaml";

/** The component descriptor of a module in the registry at `host`. */
export function descriptorOf({ name, version, rawManifest }: ModuleComponent, host: string): object {
  const access = { type: "localBlob", localReference: digestOf(rawManifest), mediaType: RAW_TYPE };
  const repositoryContexts = [{ type: "OCIRegistry", baseUrl: `http://${host}`, componentNameMapping: "urlPath" }];
  const resources = [{ name: "raw-manifest", version, type: "directoryTree", relation: "local", access }];
  const provider = "example.com";
  const component = { name, version, provider, repositoryContexts, resources, sources: [], componentReferences: [] };
  return { meta: { schemaVersion: "v2" }, component };
}

/** Pushes a module's component version, so that lifecycle-manager finds it. */
export async function publish(registry: OciRegistry, module: ModuleComponent): Promise<void> {
  const descriptor = (): object => descriptorOf(module, registry.host);
  await pushComponent(registry, "", { ...module, mediaType: RAW_TYPE, descriptor });
}
