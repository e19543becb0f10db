import { describe, expect, it } from "vitest";
import type { Registry } from "../../../src/ports.ts";
import { openRegistry } from "../../../src/systems/registry/registry.ts";
import { digestOf } from "../../support/ociFixture.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder } from "../repository.ts";
import { LIMITS, startServer, type Reply } from "../webServer.ts";

const run = quietRun();
const TYPE = "application/vnd.oci.image.manifest.v1+json";

function wayTo(host: string): Registry {
  return openRegistry({ baseUrl: host, plainHttp: true }, { DOCKER_CONFIG: emptyFolder().path }, LIMITS);
}

/** The digest of an image in a server that always answers so. */
async function digestBy(reply: Reply): Promise<string | undefined> {
  const { host } = await startServer(() => reply);
  return wayTo(host).digestOf(`${host}/sample:1`, run);
}

describe("a server that answers 200 to everything", () => {
  const index = { schemaVersion: 2, manifests: [] };
  it.for<[string, Reply]>([
    ["a page", { status: 200, headers: { "content-type": "text/html" }, body: "<html>Welcome</html>" }],
    ["a page with a digest", { status: 200, headers: { "docker-content-digest": digestOf("<html>") }, body: "<html>" }],
    ["nothing", { status: 200 }],
    ["{}", { status: 200, headers: { "content-type": "application/json" }, body: "{}" }],
    ["{} as an image", { status: 200, headers: { "content-type": TYPE }, body: "{}" }],
    ["null", { status: 200, body: "null" }],
    ["an invalid digest", { status: 200, headers: { "content-type": TYPE, "docker-content-digest": "a" }, body: "{}" }],
    ["an index as an image", { status: 200, headers: { "content-type": TYPE }, body: JSON.stringify(index) }],
    ["the old schema", { status: 200, headers: { "content-type": TYPE }, body: '{"schemaVersion":1,"layers":[]}' }],
  ])("has no image: %s", async ([, reply]) => {
    await expect(digestBy(reply)).rejects.toMatchObject({ code: "REGISTRY_CORRUPT" });
  });

  it("has no layer, unless its content matches", async () => {
    const layer = (body: string, headers = {}): Promise<boolean> =>
      startServer(() => ({ status: 200, headers, body })).then((server) =>
        wayTo(server.host).hasLayer(`${server.host}/sample`, digestOf("layer"), run),
      );

    await expect(layer("<html>")).rejects.toMatchObject({ code: "REGISTRY_CORRUPT" });
    expect(await layer("layer")).toBe(true);
    expect(await layer("", { "docker-content-digest": digestOf("layer") })).toBe(true);
  });

  it("has an image if the content shows what the headers do not", async () => {
    const typed = JSON.stringify({ ...index, mediaType: "application/vnd.oci.image.index.v1+json" });

    expect(await digestBy({ status: 200, body: typed })).toBe(digestOf(typed));
  });
});
