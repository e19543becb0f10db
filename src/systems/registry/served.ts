import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pack } from "tar-stream";
import type { ManagedComponent, Run } from "../../ports.ts";
import { listen } from "../http/listen.ts";

/** A read-only OCI registry on this machine, in memory. */
interface ServedRegistry {
  /** `http://127.0.0.1:PORT`. */
  readonly address: string;
  /** Adds a component version, or replaces one of the same name and version. */
  readonly publish: (component: ManagedComponent) => Promise<void>;
  /** Stops the registry. */
  readonly close: () => Promise<void>;
}

interface Blob {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const DESCRIPTOR = "application/vnd.ocm.software.component-descriptor.v2+yaml+tar";
const CONFIG = "application/vnd.ocm.software.component.config.v1+json";
const RAW = "application/x-yaml";

/** Serves component versions in the form of modulectl. Source: OCI distribution specification, its pull part. */
export async function serveRegistry(run: Run): Promise<ServedRegistry> {
  /** By path. */
  const served = new Map<string, Blob>();
  const server = createServer((request, response) => {
    answer(served, request, response);
  });
  const listening = await listen(server, { host: "127.0.0.1", port: 0 }, "Try again.", run);
  const { address } = listening;
  const put = (path: string, blob: Blob): string => {
    const digest = servedDigest(blob.bytes);
    served.set(`${path}/${digest}`, blob);
    return digest;
  };
  return {
    address,
    close: () => listening.close(),
    publish: async (component) => {
      const { name, version, rawManifest } = component;
      const root = `/v2/component-descriptors/${name}`;
      const stored = (mediaType: string, bytes: Buffer): object => {
        const digest = put(`${root}/blobs`, { mediaType, bytes });
        return { mediaType, digest, size: bytes.length };
      };
      const manifest = Buffer.from(rawManifest);
      const archive = pack();
      archive.entry({ name: "component-descriptor.yaml" }, JSON.stringify(servedDescriptor(component, address)));
      archive.finalize();
      const descriptor = Buffer.concat(await Array.fromAsync(archive as AsyncIterable<Buffer>));
      const layers = [stored(DESCRIPTOR, descriptor), stored(RAW, manifest)];
      const config = stored(CONFIG, Buffer.from(JSON.stringify({ componentDescriptorLayer: layers[0] })));
      const image = { schemaVersion: 2, mediaType: MANIFEST, config, layers };
      const blob = { mediaType: MANIFEST, bytes: Buffer.from(JSON.stringify(image)) };
      put(`${root}/manifests`, blob);
      served.set(`${root}/manifests/${version}`, blob);
    },
  };
}

function answer(
  served: ReadonlyMap<string, Blob>,
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
): void {
  const [path = ""] = url.split("?");
  const blob = served.get(path);
  if (path === "/v2/") response.writeHead(200, { "docker-distribution-api-version": "registry/2.0" }).end();
  else if (blob === undefined || (method !== "GET" && method !== "HEAD")) response.writeHead(404).end();
  else {
    const { mediaType, bytes } = blob;
    const headers = { "content-type": mediaType, "content-length": bytes.length };
    response.writeHead(200, { ...headers, "docker-content-digest": servedDigest(bytes) });
    response.end(method === "HEAD" ? undefined : bytes);
  }
}

/** Source: OCM specification, component descriptor v2. */
function servedDescriptor({ name, version, rawManifest }: ManagedComponent, address: string): object {
  const access = { type: "localBlob", localReference: servedDigest(Buffer.from(rawManifest)), mediaType: RAW };
  const resources = [{ name: "raw-manifest", version, type: "directoryTree", relation: "local", access }];
  const repositoryContexts = [{ type: "OCIRegistry", baseUrl: address, componentNameMapping: "urlPath" }];
  const rest = { provider: "kyma-modules", sources: [], componentReferences: [] };
  return {
    meta: { schemaVersion: "v2" },
    component: { name, version, repositoryContexts, resources, ...rest },
  };
}

function servedDigest(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
