import { chmodSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it, type TestContext } from "vitest";
import type { Registry } from "../../src/ports.ts";
import { openRegistry } from "../../src/systems/registry/registry.ts";
import { descriptorV2, IMAGE, RAW_MANIFEST } from "../kubernetes/ocm/samples.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import {
  digestOf,
  pushBlob,
  pushComponent,
  pushImage,
  pushManifest,
  startRegistry,
  tarOf,
  type Login,
  type OciRegistry,
  type RawManifestAccess,
} from "../support/ociFixture.ts";
import { emptyFolder } from "./repository.ts";

const run = quietRun();
const NAME = "kyma-project.io/module/sample";
const MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: sample\n";

/** A registry, and our way to it with this Docker configuration. */
async function world(
  context: TestContext,
  login?: Login,
  config?: (host: string) => object,
): Promise<{ readonly registry: OciRegistry; readonly ours: Registry }> {
  const registry = await startRegistry(context, login);
  const folder = emptyFolder();
  if (config !== undefined) folder.write({ "config.json": JSON.stringify(config(registry.host)) });
  const settings = { baseUrl: `${registry.host}/prod`, plainHttp: true };
  return { registry, ours: openRegistry(settings, { DOCKER_CONFIG: folder.path }) };
}

/** A descriptor whose raw manifest is reached so. */
const descriptor = (access: RawManifestAccess): unknown =>
  descriptorV2({ resources: [{ ...RAW_MANIFEST, access: { ...access } }, IMAGE] });

describe("an image in a registry", () => {
  it("has the digest of its tag, its own digest, or that of latest", async (context) => {
    const { registry, ours } = await world(context);
    const digest = await pushImage(registry, "prod/sample-manager", "1.2.0");
    const latest = await pushImage(registry, "prod/other", "latest");
    const name = `${registry.host}/prod/sample-manager`;

    expect(await ours.digestOf(`${name}:1.2.0`, run)).toBe(digest);
    expect(await ours.digestOf(`${name}@${digest}`, run)).toBe(digest);
    expect(await ours.digestOf(`${name}:gone@${digest}`, run)).toBe(digest);
    expect(await ours.digestOf(`${registry.host}/prod/other`, run)).toBe(latest);
  });

  it("does not exist without its tag, its digest, or its repository", async (context) => {
    const { registry, ours } = await world(context);
    await pushImage(registry, "prod/sample-manager", "1.2.0");
    const name = `${registry.host}/prod/sample-manager`;

    expect(await ours.digestOf(`${name}:1.3.0`, run)).toBeUndefined();
    expect(await ours.digestOf(`${name}@${digestOf("other")}`, run)).toBeUndefined();
    expect(await ours.digestOf(`${registry.host}/prod/none:1.2.0`, run)).toBeUndefined();
  });

  it("must have a valid reference", async (context) => {
    const { ours } = await world(context);

    await expect(ours.digestOf("Sample Manager", run)).rejects.toMatchObject({ code: "REGISTRY_REFUSED" });
  });
});

describe("a component version in a registry", () => {
  it("is read with its raw manifest, from a tar or plain", async (context) => {
    const { registry, ours } = await world(context);
    const tar = await tarOf({ "._manifest.yaml": "what macOS adds", "manifest.yaml": MANIFEST, "more.yaml": "more" });
    const layers = [
      ["1.2.0", tar, "application/x-tar"],
      ["1.3.0", MANIFEST, "application/x-yaml"],
      ["1.4.0", gzipSync(tar), "application/x-tar"],
      ["1.5.0", zstdCompressSync(MANIFEST), "application/x-yaml"],
    ] as const;
    for (const [version, rawManifest, mediaType] of layers) {
      const digest = await pushComponent(registry, "prod/", {
        name: NAME,
        version,
        rawManifest,
        mediaType,
        descriptor,
      });
      const found = await ours.component(`${registry.host}/prod`, NAME, version, run);

      expect(found?.digest).toBe(digest);
      expect(Buffer.from(found?.rawManifest ?? []).toString()).toBe(MANIFEST);
      expect(found?.descriptor).toEqual(
        descriptor({ type: "localBlob", localReference: digestOf(rawManifest), mediaType }),
      );
    }
  });

  it("is found with or without a scheme and a slash, and below the host itself", async (context) => {
    const { registry, ours } = await world(context);
    const what = { name: NAME, version: "1.2.0", rawManifest: MANIFEST, mediaType: "text/yaml", descriptor };
    const digest = await pushComponent(registry, "", what);

    for (const base of [registry.host, `http://${registry.host}/`, `https://${registry.host}`])
      expect((await ours.component(base, NAME, "1.2.0", run))?.digest).toBe(digest);
  });

  it("does not exist before it is pushed", async (context) => {
    const { registry, ours } = await world(context);

    expect(await ours.component(`${registry.host}/prod`, NAME, "1.2.0", run)).toBeUndefined();
  });

  it("has no raw manifest if its descriptor names none or two", async (context) => {
    const { registry, ours } = await world(context);
    const of = { name: NAME, rawManifest: MANIFEST, mediaType: "text/yaml" };
    const two = (access: RawManifestAccess): unknown => {
      const resource = { ...RAW_MANIFEST, access: { ...access } };
      return descriptorV2({ resources: [resource, resource] });
    };
    await pushComponent(registry, "", { ...of, version: "1.2.0", descriptor: () => descriptorV2({ resources: [] }) });
    await pushComponent(registry, "", { ...of, version: "1.3.0", descriptor: two });

    for (const version of ["1.2.0", "1.3.0"])
      expect((await ours.component(registry.host, NAME, version, run))?.rawManifest).toBeUndefined();
  });

  it("is corrupt if lifecycle-manager could not read it", async (context) => {
    const { registry, ours } = await world(context);
    const repository = `component-descriptors/${NAME}`;
    const push = async (tag: string, layer: Uint8Array | string, configOf?: string): Promise<void> => {
      const blob = await pushBlob(registry, repository, "application/x-tar", layer);
      const text = configOf ?? JSON.stringify({ componentDescriptorLayer: blob });
      const config = await pushBlob(registry, repository, "application/json", text);
      await pushManifest(registry, repository, tag, config, [blob]);
    };
    await push("1.0.0", "", "{}");
    await push("1.1.0", "", "no JSON");
    await push("1.2.0", "component: {}");
    await push("1.3.0", await tarOf({ "other.yaml": "a: b" }));
    await push("1.4.0", await tarOf({ "component-descriptor.yaml": "a: [" }));
    await push("1.5.0", gzipSync("a".repeat(1_000)).subarray(0, 20));
    const missing = await tarOf({ "component-descriptor.yaml": JSON.stringify(descriptorV2()) });
    await push("1.6.0", missing);
    await push("1.7.0", "", '{"componentDescriptorLayer":{"digest":"../../other"}}');
    const messages = [
      mentions("componentDescriptorLayer.digest"),
      mentions("componentDescriptorLayer.digest"),
      mentions("tar archive"),
      mentions("tar archive", "component-descriptor.yaml"),
      mentions("component-descriptor.yaml", "line 1"),
      mentions("unpacked"),
      mentions(`blob sha256:${"0a".repeat(32)}`, registry.host),
      mentions("blob ../../other", "digest"),
    ];
    for (const [index, message] of messages.entries()) {
      const component = ours.component(registry.host, NAME, `1.${index}.0`, run);

      await expect(component).rejects.toMatchObject({ code: "REGISTRY_CORRUPT", message });
    }
  });

  it("must have a name that is valid in a reference", async (context) => {
    const { registry, ours } = await world(context);

    await expect(ours.component(registry.host, "Sample", "1.0.0", run)).rejects.toMatchObject({
      code: "CONFIGURATION",
    });
  });
});

describe("a registry that requires a password", () => {
  const login: Login = {
    user: "reader",
    password: "secret",
    line: "reader:$2y$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a\n",
  };
  const auth = Buffer.from("reader:secret").toString("base64");

  it.for<[string, (host: string) => object]>([
    ["under its host", (host) => ({ auths: { [host]: { auth } } })],
    ["under an address", (host) => ({ auths: { [`https://${host}/v1/`]: { auth } } })],
    ["by name", (host) => ({ auths: { [host]: { username: "reader", password: "secret" } } })],
  ])("gets the password of the Docker configuration: %s", async ([, config], context) => {
    const { registry, ours } = await world(context, login, config);
    const digest = await pushImage(registry, "prod/sample", "1.0.0");

    expect(await ours.digestOf(`${registry.host}/prod/sample:1.0.0`, run)).toBe(digest);
  });

  it("refuses access without a password, or with a wrong one", async (context) => {
    for (const entry of [{}, { auth: Buffer.from("reader:wrong").toString("base64") }]) {
      const { registry, ours } = await world(context, login, (host) => ({ auths: { [host]: entry } }));
      const digest = ours.digestOf(`${registry.host}/prod/sample:1.0.0`, run);

      await expect(digest).rejects.toMatchObject({ code: "REGISTRY_UNAUTHORIZED" });
      await expect(digest).rejects.toThrow(`docker login ${registry.host}`);
    }
  });

  it("gets the password of a credential helper, and is used anonymously if that fails", async (context) => {
    const { registry, ours } = await world(context, login, (host) => ({
      credHelpers: { [host]: "kyma-modules-test" },
    }));
    const digest = await pushImage(registry, "prod/sample", "1.0.0");
    const program = emptyFolder();
    const script = `#!/bin/sh\nread key\n[ "$key" = "${registry.host}" ] && echo '{"Username":"reader","Secret":"secret"}'\n`;
    program.write({ "docker-credential-kyma-modules-test": script });
    chmodSync(join(program.path, "docker-credential-kyma-modules-test"), 0o755);
    const path = process.env["PATH"];
    process.env["PATH"] = `${program.path}:${path ?? ""}`;
    try {
      expect(await ours.digestOf(`${registry.host}/prod/sample:1.0.0`, run)).toBe(digest);
    } finally {
      process.env["PATH"] = path;
    }
    const without = await world(context, login, () => ({ credsStore: "kyma-modules-absent" }));

    await expect(without.ours.digestOf(`${without.registry.host}/a:1`, run)).rejects.toMatchObject({
      code: "REGISTRY_UNAUTHORIZED",
    });
  });

  it("is not asked with an invalid configuration", async (context) => {
    const { registry } = await world(context, login);
    const folder = emptyFolder();
    folder.write({ "config.json": "{" });
    const ours = openRegistry({ baseUrl: registry.host, plainHttp: true }, { DOCKER_CONFIG: folder.path });

    await expect(ours.digestOf(`${registry.host}/a:1`, run)).rejects.toMatchObject({ code: "CONFIGURATION" });
  });
});
