import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Run } from "../../../src/ports.ts";
import { dockerCredentials, type RegistryCredentials } from "../../../src/systems/registry/credentials.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder } from "../repository.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** What is found for a registry in a Docker configuration. */
function find(registry: string, config: object, run: Run = quietRun()): Promise<RegistryCredentials | undefined> {
  const folder = emptyFolder();
  folder.write({ "config.json": JSON.stringify(config) });
  return dockerCredentials({ DOCKER_CONFIG: folder.path }).find(registry, run);
}

/** Puts a credential program on the PATH for this test. */
function program(name: string, answer: string, code = 0): void {
  const folder = emptyFolder();
  folder.write({ [`docker-credential-${name}`]: `#!/bin/sh\ncat >/dev/null\necho '${answer}'\nexit ${code}\n` });
  chmodSync(join(folder.path, `docker-credential-${name}`), 0o755);
  const path = process.env["PATH"];
  process.env["PATH"] = `${folder.path}:${path ?? ""}`;
  onTestFinished(() => {
    process.env["PATH"] = path;
  });
}

describe("the credentials of the Docker configuration", () => {
  it.for<[string, string, object]>([
    ["the host", "example.com", { auths: { "example.com": { auth: base64("a:b:c") } } }],
    ["a port", "example.com:5000", { auths: { "example.com:5000": { auth: base64("a:b:c") } } }],
    ["an address", "example.com", { auths: { "https://example.com/v2/": { auth: base64("a:b:c") } } }],
    ["Docker Hub", "docker.io", { auths: { "https://index.docker.io/v1/": { auth: base64("a:b:c") } } }],
    ["names", "example.com", { auths: { "example.com": { username: "a", password: "b:c" } } }],
  ])("are found under %s", async ([, registry, config]) => {
    expect(await find(registry, config)).toEqual({ kind: "password", user: "a", password: "b:c" });
  });

  it("may be a refresh token", async () => {
    const config = { auths: { "example.com": { auth: base64("a:b"), identitytoken: "T" } } };

    expect(await find("example.com", config)).toEqual({ kind: "identity-token", token: "T" });
  });

  it.for<[string, object]>([
    ["nothing", {}],
    ["another registry", { auths: { "example.org": { auth: base64("a:b") }, "example.com:5000": {} } }],
    ["an entry without anything", { auths: { "example.com": {} } }],
    ["an invalid entry", { auths: { "example.com": null } }],
    ["a name without a password", { auths: { "example.com": { username: "a" } } }],
    ["no list", { auths: [] }],
  ])("are missing for %s", async ([, config]) => {
    expect(await find("example.com", config)).toBeUndefined();
  });

  it("are missing without a configuration", async () => {
    const home = emptyFolder();

    expect(await dockerCredentials({ HOME: home.path }).find("example.com", quietRun())).toBeUndefined();
    home.write({ ".docker/config.json": JSON.stringify({ auths: { "example.com": { auth: base64("a:b") } } }) });

    expect(await dockerCredentials({ HOME: home.path }).find("example.com", quietRun())).toBeDefined();
  });

  it("come from a credential helper", async () => {
    program("kyma-modules-password", '{"Username":"a","Secret":"b"}');
    program("kyma-modules-token", '{"Username":"<token>","Secret":"T"}');

    expect(
      await find("docker.io", { credHelpers: { "https://index.docker.io/v1/": "kyma-modules-password" } }),
    ).toEqual({ kind: "password", user: "a", password: "b" });
    expect(await find("example.com", { credsStore: "kyma-modules-token" })).toEqual({
      kind: "identity-token",
      token: "T",
    });
  });

  it("come from the file if a credential helper has none", async () => {
    program("kyma-modules-none", "credentials not found in native keychain", 1);
    program("kyma-modules-text", "no JSON");
    program("kyma-modules-empty", "{}");
    const auths = { "example.com": { auth: base64("a:b") } };
    for (const name of ["none", "text", "empty", "absent"])
      expect(await find("example.com", { auths, credsStore: `kyma-modules-${name}` })).toMatchObject({ user: "a" });
  });

  it("are refused for an invalid helper name", async () => {
    await expect(find("example.com", { credsStore: "../../bin/sh" })).rejects.toMatchObject({ code: "CONFIGURATION" });
  });

  it("are not requested after an abort", async () => {
    program("kyma-modules-slow", "{}");
    const run = quietRun(AbortSignal.abort(new Error("interrupted")));

    await expect(find("example.com", { credsStore: "kyma-modules-slow" }, run)).rejects.toThrow("interrupted");
  });
});
