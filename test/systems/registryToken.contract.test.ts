import { describe, expect, it } from "vitest";
import type { Registry } from "../../src/ports.ts";
import { openRegistry } from "../../src/systems/registry/registry.ts";
import { quietRun } from "../support/quietRun.ts";
import { basic, digestOf } from "../support/ociFixture.ts";
import { emptyFolder } from "./repository.ts";
import { LIMITS, startServer, type Reply, type SeenRequest, type WebServer } from "./webServer.ts";

const run = quietRun();
const TYPE = "application/vnd.oci.image.manifest.v1+json";
const DIGEST = digestOf("manifest");
const LOGIN = { user: "reader", password: "secret" };

/** A registry that wants a token, which it gives itself at `/token`; and our way to it. */
async function tokenRegistry(
  token: Reply | ((request: SeenRequest) => Reply),
  auth?: object,
  settings: { readonly challenge?: string; readonly accepts?: string } = {},
): Promise<{ readonly server: WebServer; readonly ours: Registry }> {
  const { challenge = 'realm="/token",service="the service",scope="repository:sample:pull"', accepts = "Bearer T" } =
    settings;
  const server: WebServer = await startServer((request): Reply => {
    if (request.path.startsWith("/token")) return typeof token === "function" ? token(request) : token;
    if (request.headers.authorization === accepts)
      return { status: 200, headers: { "content-type": TYPE, "docker-content-digest": DIGEST }, body: "manifest" };
    return { status: 401, headers: { "www-authenticate": `Bearer ${challenge}` } };
  });
  const folder = emptyFolder();
  folder.write({ "config.json": JSON.stringify(auth === undefined ? {} : { auths: { [server.host]: auth } }) });
  const ours = openRegistry({ baseUrl: server.host, plainHttp: true }, { DOCKER_CONFIG: folder.path }, LIMITS);
  return { server, ours };
}

const given = (body: object): Reply => ({ status: 200, body: JSON.stringify(body) });
const tokens = ({ requests }: WebServer): readonly SeenRequest[] =>
  requests.filter(({ path }) => path.startsWith("/token"));

describe("a registry that requires a token", () => {
  it("gets an anonymous one, once for all requests for a repository", async () => {
    const { server, ours } = await tokenRegistry(given({ token: "T" }));
    const digests = ["1", "2", "3"].map((tag) => ours.digestOf(`${server.host}/sample:${tag}`, run));

    expect(await Promise.all(digests)).toEqual([DIGEST, DIGEST, DIGEST]);
    expect(await ours.digestOf(`${server.host}/sample:4`, run)).toBe(DIGEST);
    expect(tokens(server).map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
      ["GET", "/token?service=the+service&scope=repository%3Asample%3Apull", undefined],
    ]);
  });

  it("gets a token for the user of the Docker configuration, by password or by identity token", async () => {
    const password = await tokenRegistry(given({ access_token: "T", expires_in: 300 }), {
      username: "reader",
      password: "secret",
    });

    expect(await password.ours.digestOf(`${password.server.host}/sample:1`, run)).toBe(DIGEST);
    expect(tokens(password.server)[0]?.headers.authorization).toBe(basic(LOGIN));

    const identity = await tokenRegistry(given({ access_token: "T" }), { identitytoken: "I" });

    expect(await identity.ours.digestOf(`${identity.server.host}/sample:1`, run)).toBe(DIGEST);
    expect(tokens(identity.server)[0]).toMatchObject({ method: "POST", path: "/token" });
    expect(Object.fromEntries(new URLSearchParams(tokens(identity.server)[0]?.body))).toEqual({
      service: "the service",
      scope: "repository:sample:pull",
      grant_type: "refresh_token",
      client_id: "kyma-modules",
      refresh_token: "I",
    });
  });

  it("gets the scope of the repository if it names none", async () => {
    const { server, ours } = await tokenRegistry(given({ token: "T" }), undefined, { challenge: 'realm="/token"' });

    expect(await ours.digestOf(`${server.host}/a/b:1`, run)).toBe(DIGEST);
    expect(tokens(server)[0]?.path).toBe("/token?scope=repository%3Aa%2Fb%3Apull");
  });

  it("gets a new token when the old one is no longer accepted", async () => {
    let accepts = "T1";
    const { server, ours } = await tokenRegistry(() => given({ token: accepts }));
    const first = ours.digestOf(`${server.host}/sample:1`, run);

    await expect(first).rejects.toMatchObject({ code: "REGISTRY_UNAUTHORIZED" });
    accepts = "T";

    expect(await ours.digestOf(`${server.host}/sample:1`, run)).toBe(DIGEST);
    expect(tokens(server)).toHaveLength(2);
  });

  it.for<[string, Reply, string]>([
    ["401", { status: 401 }, "REGISTRY_UNAUTHORIZED"],
    ["403", { status: 403 }, "REGISTRY_UNAUTHORIZED"],
    ["404", { status: 404 }, "REGISTRY_REFUSED"],
    ["500", { status: 500 }, "REGISTRY_BUSY"],
    ["no JSON", { status: 200, body: "<html>" }, "REGISTRY_REFUSED"],
    ["no token", { status: 200, body: "{}" }, "REGISTRY_REFUSED"],
    ["no object", { status: 200, body: "null" }, "REGISTRY_REFUSED"],
    ["a token that could forge a header", given({ token: "T\r\nx: y" }), "REGISTRY_REFUSED"],
  ])("is not usable when the token server answers %s", async ([, reply, code]) => {
    const { server, ours } = await tokenRegistry(reply);

    await expect(ours.digestOf(`${server.host}/sample:1`, run)).rejects.toMatchObject({ code });
  });

  it.for<[string, string, string]>([
    ["nowhere", 'service="s"', "REGISTRY_UNAUTHORIZED"],
    ["to an invalid address", 'realm="http://["', "REGISTRY_REFUSED"],
    ["to another server without TLS", 'realm="http://localhost:1/token"', "REGISTRY_REFUSED"],
  ])("gets no password when it redirects %s for a token", async ([, challenge, code]) => {
    const { server, ours } = await tokenRegistry(given({ token: "T" }), { identitytoken: "I" }, { challenge });

    await expect(ours.digestOf(`${server.host}/sample:1`, run)).rejects.toMatchObject({ code });
    expect(tokens(server)).toEqual([]);
  });
});
