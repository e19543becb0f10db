import { describe, expect, it, onTestFinished } from "vitest";
import { openRegistry } from "../../src/systems/registry/registry.ts";
import { serveRegistry } from "../../src/systems/registry/served.ts";
import { quietRun } from "../support/quietRun.ts";

const NAME = "smoke.example.com/module/sample";
const OF_SAMPLE = "/v2/component-descriptors/smoke.example.com/module/sample";

async function served(): Promise<string> {
  const registry = await serveRegistry(quietRun());
  onTestFinished(() => registry.close());
  await registry.publish({ name: NAME, version: "1.0.0", rawManifest: "kind: First" });
  await registry.publish({ name: NAME, version: "1.1.0", rawManifest: "kind: Second" });
  return registry.address;
}

describe("a registry in memory", () => {
  it("serves component versions as lifecycle-manager reads them", async () => {
    const address = await served();
    const ours = openRegistry({ baseUrl: address.replace("http://", ""), plainHttp: true }, {});
    const versions = ["1.0.0", "1.1.0", "1.2.0"];
    const read = await Promise.all(versions.map((version) => ours.component(address, NAME, version, quietRun())));

    expect(read.map((one) => one?.rawManifest && Buffer.from(one.rawManifest).toString())).toEqual([
      "kind: First",
      "kind: Second",
      undefined,
    ]);
    expect(read[1]?.descriptor).toMatchObject({ component: { name: NAME, version: "1.1.0" } });
  });

  it("returns digests, and is read-only", async () => {
    const address = await served();
    const tagged = await fetch(`${address}${OF_SAMPLE}/manifests/1.0.0`, { method: "HEAD" });
    const digest = tagged.headers.get("docker-content-digest") ?? "";

    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await fetch(`${address}${OF_SAMPLE}/manifests/${digest}`)).status).toBe(200);
    expect((await fetch(`${address}/v2/`)).status).toBe(200);
    const pushed = await fetch(`${address}${OF_SAMPLE}/manifests/1.0.0`, { method: "PUT", body: "{}" });
    expect(pushed.status).toBe(404);
  });
});
