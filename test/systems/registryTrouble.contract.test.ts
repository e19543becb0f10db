import { describe, expect, it } from "vitest";
import type { Limits } from "../../src/systems/http/client.ts";
import type { Registry } from "../../src/ports.ts";
import { openRegistry } from "../../src/systems/registry/registry.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import { digestOf } from "../support/ociFixture.ts";
import { emptyFolder } from "./repository.ts";
import { LIMITS, limitsFor, startServer, type Reply, type SeenRequest, type WebServer } from "./webServer.ts";

const run = quietRun();
const TYPE = "application/vnd.oci.image.manifest.v1+json";
const MANIFEST = JSON.stringify({ schemaVersion: 2, mediaType: TYPE, layers: [] });
const DIGEST = digestOf(MANIFEST);
const FOUND: Reply = {
  status: 200,
  headers: { "content-type": `${TYPE}; charset=utf-8`, "docker-content-digest": DIGEST },
  body: MANIFEST,
};
const NAME = "kyma-project.io/module/sample";

/** Our way to a server, which is the one that is asked without TLS. */
function wayTo({ host }: WebServer, limits: Limits = LIMITS): Registry {
  return openRegistry({ baseUrl: host, plainHttp: true }, { DOCKER_CONFIG: emptyFolder().path }, limits);
}

async function registry(
  decide: (request: SeenRequest, index: number) => Reply | Promise<Reply>,
  limits?: Limits,
): Promise<{ readonly server: WebServer; readonly digest: (name?: string) => Promise<string | undefined> }> {
  const server = await startServer(decide);
  const ours = wayTo(server, limits);
  return { server, digest: (name = "sample:1") => ours.digestOf(`${server.host}/${name}`, run) };
}

describe("a registry with failures", () => {
  it.for<[string, Reply]>([
    ["500", { status: 500 }],
    ["503", { status: 503 }],
    ["429 and a time to come back", { status: 429, headers: { "retry-after": 0 } }],
    ["nothing, and closes the connection", "break"],
  ])("is retried after %s", async ([, trouble]) => {
    const { server, digest } = await registry((_, index) => (index < 2 ? trouble : FOUND), {
      ...LIMITS,
      backOffMs: 60_000,
    });

    expect(await digest()).toBe(DIGEST);
    expect(server.requests).toHaveLength(3);
  });

  it.for<[string, Reply, string]>([
    ["500", { status: 500 }, "REGISTRY_BUSY"],
    ["429 and a time that is too long", { status: 429, headers: { "retry-after": 3_600 } }, "REGISTRY_BUSY"],
    ["nothing, and closes the connection", "break", "REGISTRY_UNREACHABLE"],
    ["nothing at all", "hang", "REGISTRY_TIMEOUT"],
  ])("fails in the end: %s", async ([, trouble, code]) => {
    const { digest } = await registry(() => trouble, limitsFor(trouble));

    await expect(digest()).rejects.toMatchObject({ name: "Fault", code, retry: true });
  });

  it.for<[string, Reply, string]>([
    ["400", { status: 400 }, "REGISTRY_REFUSED"],
    ["401 that does not say how to log in", { status: 401 }, "REGISTRY_UNAUTHORIZED"],
    [
      "401 in a way that registries do not use",
      { status: 401, headers: { "www-authenticate": "Negotiate" } },
      "REGISTRY_UNAUTHORIZED",
    ],
    ["403", { status: 403 }, "REGISTRY_UNAUTHORIZED"],
    ["501", { status: 501, headers: { "docker-content-digest": DIGEST } }, "REGISTRY_REFUSED"],
  ])("is not retried after %s", async ([, trouble, code]) => {
    const { server, digest } = await registry(() => trouble);

    await expect(digest()).rejects.toMatchObject({ code, retry: false });
    expect(server.requests.filter(({ method }) => method === "HEAD")).toHaveLength(1);
  });

  it("must have a valid address", async () => {
    const { digest } = await registry(() => FOUND);
    const ours = openRegistry({ baseUrl: "localhost:99999", plainHttp: true }, { DOCKER_CONFIG: "/none" }, LIMITS);

    await expect(ours.digestOf("localhost:99999/sample:1", run)).rejects.toMatchObject({ code: "REGISTRY_REFUSED" });
    expect(await digest()).toBe(DIGEST);
  });

  it("does not have an image after a 404", async () => {
    const { digest } = await registry(() => ({ status: 404, body: "<html>" }));

    expect(await digest()).toBeUndefined();
  });

  it("is not asked for other images after it failed", async () => {
    const { server, digest } = await registry(() => "break");
    await expect(digest()).rejects.toMatchObject({ code: "REGISTRY_UNREACHABLE" });
    const asked = server.requests.length;

    await expect(digest("other:2")).rejects.toThrow(/other:2: .*cannot be reached/);
    expect(server.requests).toHaveLength(asked);
  });

  it("stops at once when the run is aborted, also while waiting for the next attempt", async () => {
    for (const reply of ["hang", { status: 429, headers: { "retry-after": 100 } }] as const) {
      const interruption = new AbortController();
      const server = await startServer(() => {
        setTimeout(() => {
          interruption.abort(new Error("interrupted"));
        }, 20);
        return reply;
      });
      const limits = { ...LIMITS, firstByteMs: 100_000, retryAfterMs: 1_000_000 };
      const ours = openRegistry({ baseUrl: server.host, plainHttp: true }, { DOCKER_CONFIG: "/none" }, limits);

      await expect(ours.digestOf(`${server.host}/sample:1`, quietRun(interruption.signal))).rejects.toThrow(
        "interrupted",
      );
    }
  });
});

describe("a registry whose content does not match its digest", () => {
  it("is corrupt: another digest than the requested one", async () => {
    const { digest } = await registry(() => FOUND);

    await expect(digest(`sample@${digestOf("other")}`)).rejects.toMatchObject({ code: "REGISTRY_CORRUPT" });
  });

  it("is corrupt: a manifest that does not match its digest", async () => {
    const trouble = { status: 200, headers: { "docker-content-digest": digestOf("other") }, body: MANIFEST };
    const server = await startServer(() => trouble);

    const component = wayTo(server).component(server.host, NAME, "1.0.0", run);

    await expect(component).rejects.toMatchObject({
      code: "REGISTRY_CORRUPT",
      message: mentions(digestOf("other"), DIGEST),
    });
  });

  it("is corrupt: a blob that does not match its digest", async () => {
    const manifest = JSON.stringify({ ...JSON.parse(MANIFEST), config: { digest: digestOf("{}") } });
    const server = await startServer(({ path }) => ({ status: 200, body: path.includes("/blobs/") ? "[]" : manifest }));
    const component = wayTo(server).component(server.host, NAME, "1.0.0", run);

    await expect(component).rejects.toMatchObject({ code: "REGISTRY_CORRUPT" });
    await expect(component).rejects.toThrow(digestOf("[]"));
  });

  it("is corrupt: a digest with an unknown algorithm", async () => {
    const { digest } = await registry(({ method }) => ({
      status: 200,
      headers: method === "HEAD" ? {} : { "docker-content-digest": "md6:00" },
    }));

    await expect(digest()).rejects.toMatchObject({ code: "REGISTRY_CORRUPT" });
  });

  it("sends the content if it does not send the digest, or does not support HEAD", async () => {
    for (const head of [{ status: 200 }, { status: 405, headers: { "docker-content-digest": DIGEST } }]) {
      const { digest } = await registry(({ method }) => (method === "HEAD" ? head : { status: 200, body: MANIFEST }));

      expect(await digest()).toBe(DIGEST);
      expect(await digest(`sample@${DIGEST}`)).toBe(DIGEST);
      await expect(digest(`sample@${digestOf("other")}`)).rejects.toMatchObject({ code: "REGISTRY_CORRUPT" });
    }
  });
});

describe("a component version of a registry that misbehaves", () => {
  it.for<[string, Reply, string]>([
    ["ends too early", "truncate", "REGISTRY_UNREACHABLE"],
    ["never ends", "stall", "REGISTRY_TIMEOUT"],
    ["is huge", { status: 200, body: Buffer.alloc(5 * 1024 * 1024) }, "REGISTRY_REFUSED"],
    ["is elsewhere for ever", { status: 307, headers: { location: "again" } }, "REGISTRY_REFUSED"],
    ["is nowhere", { status: 307, headers: { location: "http://[" } }, "REGISTRY_REFUSED"],
    ["is elsewhere, without TLS", { status: 307, headers: { location: "http://localhost:1/" } }, "REGISTRY_REFUSED"],
    ["is not an image", { status: 200, body: "[]" }, "REGISTRY_CORRUPT"],
  ])("is refused when it %s", async ([, reply, code]) => {
    const server = await startServer(() => reply);

    const ours = wayTo(server, limitsFor(reply));

    await expect(ours.component(server.host, NAME, "1.0.0", run)).rejects.toMatchObject({ code });
  });
});

describe("several requests to a registry", () => {
  it("are at most eight at once", async () => {
    let [now, most] = [0, 0];
    const { digest } = await registry(async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 20));
      now--;
      return FOUND;
    });
    const names = Array.from({ length: 30 }, (_, index) => `sample:${index}`);

    expect(new Set(await Promise.all(names.map(digest)))).toEqual(new Set([DIGEST]));
    expect(most).toBe(8);
  });

  it("are one request while they are the same", async () => {
    const { server, digest } = await registry(() => FOUND);

    expect(await Promise.all([digest(), digest(), digest()])).toEqual([DIGEST, DIGEST, DIGEST]);
    expect(server.requests).toHaveLength(1);
  });

  it("use plain HTTP only for the registry of the settings, if they allow it", async () => {
    const server = await startServer(() => FOUND);
    for (const settings of [undefined, { baseUrl: server.host }, { baseUrl: "example.com", plainHttp: true }]) {
      const ours = openRegistry(settings, { DOCKER_CONFIG: "/none" }, LIMITS);

      await expect(ours.digestOf(`${server.host}/sample:1`, run)).rejects.toMatchObject({ name: "Fault" });
    }

    expect(server.requests).toEqual([]);
  });
});
