import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { start, temporaryFolder } from "../house/clone.ts";
import { npmUnlessOffline, pack } from "./packed.ts";

const folder = temporaryFolder();
const elsewhere = join(folder, "elsewhere");

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Installs the package in an empty project, together with Node. Returns why that is not possible here. */
function installed(file: string): string | undefined {
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }));
  return npmUnlessOffline(["install", file, "node@24.21.0"], elsewhere);
}

describe("the package", () => {
  it("works where it is installed", async (ctx) => {
    const reason = installed(pack(folder));
    if (reason !== undefined) ctx.skip(reason);
    expect(await start("npx", ["kyma-modules", "--version"], elsewhere).ended).toMatchObject({
      code: 0,
      stdout: "0.1.0\n",
    });
    const { code, stdout } = await start("npx", ["kyma-modules", "--help"], elsewhere).ended;
    expect(stdout).toContain("Usage: kyma-modules");
    expect(code).toBe(0);
    // Not with npx, which finds the Node of the packages by itself.
    const shim = join(elsewhere, "node_modules/.bin/kyma-modules");
    expect(await start(shim, ["--version"], elsewhere).ended).toMatchObject({ code: 0, stdout: "0.1.0\n" });
  });
});
