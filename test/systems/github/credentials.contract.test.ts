import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAppSignIn } from "../../../src/systems/github/appToken.ts";
import { mentions } from "../../support/mentions.ts";
import { emptyFolder } from "../repository.ts";
import { APP, environment, PEM } from "./app.ts";
import { forgeTown, type ForgeTown } from "./forgeTown.ts";

const APP_TOKEN = join(import.meta.dirname, "../../../src/systems/github/appToken.ts");

async function proposeAs(town: ForgeTown, variables: Readonly<Record<string, string>>): Promise<unknown> {
  return (await town.open({ variables })).propose(town.draft(), undefined, town.run);
}

describe("a GitHub App", () => {
  it("proposes in its own name, takes precedence over tokens, and signs in once", async () => {
    const town = await forgeTown({ app: APP });
    await proposeAs(town, environment(PEM));

    expect(town.double.pulls()[0]?.author.login).toBe("release-train[bot]");
    expect(town.double.dispatches).toEqual([]);
    const paths = town.double.requests.map(({ path }) => path);
    expect(paths.filter((path) => path.endsWith("/installation"))).toHaveLength(1);
    expect(paths.filter((path) => path.endsWith("/access_tokens"))).toHaveLength(1);
  });

  it("reads its key from a variable of one line, and from a file", async () => {
    const file = join(emptyFolder().path, "app.pem");
    writeFileSync(file, PEM);
    for (const key of [PEM.replaceAll("\n", "\\n"), file]) {
      const town = await forgeTown({ app: APP });
      expect(await proposeAs(town, environment(key))).toMatchObject({ pull: { number: 1 } });
    }
  });

  it("gives Git a token, which is kept until it expires", async () => {
    const town = await forgeTown({ app: APP });
    const variables = environment(PEM);
    const app = openAppSignIn({ apiUrl: town.double.url, repository: "octo/train", variables });
    for (let round = 0; round < 2; round++) await app?.signIn(town.run);
    const file = join(app?.folder ?? "", "token");

    expect(readFileSync(file, "utf8")).toMatch(/^ghs_/);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(town.double.requests.filter(({ path }) => path.endsWith("/access_tokens"))).toHaveLength(1);
  });

  it("leaves no token behind when the process ends", () => {
    const script = `import { writeFileSync } from "node:fs";
      import { openAppSignIn } from ${JSON.stringify(APP_TOKEN)};
      const { folder } = openAppSignIn({ apiUrl: "http://127.0.0.1:1", repository: "octo/train", variables: process.env });
      writeFileSync(folder + "/token", "ghs_1");
      process.stdout.write(folder);`;
    const env = { ...process.env, ...environment(PEM) };
    const folder = execFileSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" });

    expect(folder).toContain("kyma-modules-app-");
    expect(existsSync(folder)).toBe(false);
  });

  it("that cannot sign in gives Git no token, and says why", async () => {
    const town = await forgeTown({ app: APP });
    town.double.fault({ on: "GET /repos/octo/train/installation", trouble: { kind: "refused", status: 401 } });
    const variables = environment(PEM);
    const app = openAppSignIn({ apiUrl: town.double.url, repository: "octo/train", variables });

    await expect(app?.signIn(town.run)).rejects.toMatchObject({
      code: "FORGE_UNAUTHORIZED",
      message: mentions("GitHub App", "token", "octo/train"),
    });
    expect(openAppSignIn({ apiUrl: town.double.url, repository: "octo/train", variables: {} })).toBeUndefined();
  });

  it("that is not installed causes a fault", async () => {
    const town = await forgeTown({ app: APP });
    town.double.fault({ on: "GET /repos/octo/train/installation", trouble: { kind: "refused", status: 404 } });

    await expect(proposeAs(town, environment(PEM))).rejects.toMatchObject({
      message: mentions("GitHub App 4711", "octo/train", "install"),
    });
  });

  it.each([
    [
      "no key",
      "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n",
      mentions("KYMA_MODULES_APP_PRIVATE_KEY", "private key", "PEM"),
    ],
    ["no file", "nowhere/app.pem", mentions("KYMA_MODULES_APP_PRIVATE_KEY", "PEM", "file")],
  ])("whose key is %s is refused without a request, and the key is not shown", async (_, key, why) => {
    const town = await forgeTown({ app: APP });
    const opened = town.open({ variables: environment(key) });

    await expect(opened).rejects.toMatchObject({ code: "FORGE_UNAUTHORIZED", message: why });
    await expect(opened).rejects.not.toThrow(key);
  });

  it("needs both of its variables", async () => {
    const town = await forgeTown();

    await expect(town.open({ variables: { KYMA_MODULES_APP_ID: "1" } })).rejects.toThrow(
      "KYMA_MODULES_APP_ID is set and KYMA_MODULES_APP_PRIVATE_KEY is not",
    );
    await expect(town.open({ variables: { KYMA_MODULES_APP_PRIVATE_KEY: "k" } })).rejects.toThrow(
      "KYMA_MODULES_APP_PRIVATE_KEY is set and KYMA_MODULES_APP_ID is not",
    );
  });
});

describe("an environment", () => {
  it.each([{ GH_TOKEN: "ghp_persons" }, { GITHUB_TOKEN: "", GH_TOKEN: " ghp_persons\n" }])(
    "%j has a token",
    async (variables) => {
      const town = await forgeTown();

      expect(await proposeAs(town, variables)).toMatchObject({ pull: { number: 1 } });
    },
  );

  it("without credentials causes a fault that says what to set", async () => {
    const town = await forgeTown();
    const opened = town.open({ variables: {} });

    await expect(opened).rejects.toMatchObject({ code: "FORGE_UNAUTHORIZED" });
    await expect(opened).rejects.toThrow(
      /set GITHUB_TOKEN or GH_TOKEN .* or set KYMA_MODULES_APP_ID and KYMA_MODULES_APP_P/,
    );
  });

  it("with an invalid address or repository is refused", async () => {
    const town = await forgeTown();

    await expect(town.open({ variables: { GITHUB_API_URL: "github" } })).rejects.toMatchObject({
      code: "CONFIGURATION",
    });
    await expect(town.open({ repository: "train" })).rejects.toMatchObject({ code: "CONFIGURATION" });
  });
});
