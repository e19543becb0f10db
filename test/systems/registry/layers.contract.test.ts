import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Registry } from "../../../src/ports.ts";
import { openRegistry } from "../../../src/systems/registry/registry.ts";
import { descriptorV2, RAW_MANIFEST } from "../../kubernetes/ocm/samples.ts";
import { mentions } from "../../support/mentions.ts";
import { pushComponent, startRegistry, tarOf, type RawManifestAccess } from "../../support/ociFixture.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder } from "../repository.ts";
import { startServer } from "../webServer.ts";

const run = quietRun();
const NAME = "kyma-project.io/module/sample";
const MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: sample\n";
const descriptor = (access: RawManifestAccess): unknown =>
  descriptorV2({ resources: [{ ...RAW_MANIFEST, access: { ...access } }] });

function clientOf(host: string): Registry {
  return openRegistry({ baseUrl: host, plainHttp: true }, { DOCKER_CONFIG: emptyFolder().path });
}

describe("a component version in a registry", () => {
  it("is corrupt if its raw manifest is not what its media type tells lifecycle-manager", async (context) => {
    const registry = await startRegistry(context);
    const ours = clientOf(registry.host);
    const tar = await tarOf({ "manifest.yaml": MANIFEST });
    const layers = [
      ["1.0.0", gzipSync(tar), "application/x-tgz", mentions("tar", "application/x-tgz", "YAML")],
      ["1.1.0", tar, "application/x-yaml", mentions("tar", "application/x-yaml", "YAML")],
      ["1.2.0", MANIFEST, "application/x-tar", mentions("tar archive")],
      ["1.3.0", await tarOf({ "._manifest.yaml": MANIFEST }), "application/x-tar", mentions("without a file")],
    ] as const;
    for (const [version, rawManifest, mediaType, message] of layers) {
      await pushComponent(registry, "", { name: NAME, version, rawManifest, mediaType, descriptor });

      const component = ours.component(registry.host, NAME, version, run);

      await expect(component).rejects.toMatchObject({ code: "REGISTRY_CORRUPT", message });
    }
  });

  it("is corrupt if its tag is that of an index", async () => {
    const mediaType = "application/vnd.oci.image.index.v1+json";
    const body = JSON.stringify({ schemaVersion: 2, mediaType, manifests: [] });
    const server = await startServer(() => ({ status: 200, headers: { "content-type": mediaType }, body }));
    const ours = clientOf(server.host);

    await expect(ours.component(server.host, NAME, "1.0.0", run)).rejects.toMatchObject({
      code: "REGISTRY_CORRUPT",
      message: mentions("index", "one image"),
    });
  });
});
