import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { npm, root, start, temporaryFolder } from "../house/clone.ts";

const PACKED = [".ci", "src", "schemas", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTCACHED)\b/;

const folder = temporaryFolder();
const clone = join(folder, "clone");
const elsewhere = join(folder, "elsewhere");

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Packs a copy, so that nobody else's `dist/` is in the way. Gives the path of the package. */
function pack(): string {
  for (const name of PACKED) {
    cpSync(join(root, name), join(clone, name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  npm(["pack", "--pack-destination", folder], clone);
  const file = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (file === undefined) throw new Error(`npm pack left no package in ${folder}`);
  return join(folder, file);
}

/** Installs the package in an empty project. Gives why that cannot be done here, when the registry cannot be reached. */
function installed(file: string): string | undefined {
  mkdirSync(elsewhere);
  writeFileSync(
    join(elsewhere, "package.json"),
    JSON.stringify({ private: true, allowScripts: { node: true }, dependencies: { node: "24.21.0" } }),
  );
  try {
    npm(["install", file, "--prefer-offline", "--no-audit", "--no-fund"], elsewhere);
    return undefined;
  } catch (error) {
    const code = error instanceof Error ? UNREACHABLE.exec(error.message)?.[0] : undefined;
    if (code === undefined) throw error;
    return `the package registry cannot be reached (${code})`;
  }
}

describe("the package", () => {
  it("works where it is installed", async (ctx) => {
    const reason = installed(pack());
    if (reason !== undefined) ctx.skip(reason);
    expect(await start("npx", ["kyma-modules", "--version"], elsewhere).ended).toMatchObject({
      code: 0,
      stdout: "0.1.0\n",
    });
    const { code, stdout } = await start("npx", ["kyma-modules", "--help"], elsewhere).ended;
    expect(stdout).toContain("Usage: kyma-modules");
    expect(code).toBe(0);
    // without npx, which finds the Node of the packages by itself
    const shim = join(elsewhere, "node_modules/.bin/kyma-modules");
    expect(await start(shim, ["--version"], elsewhere).ended).toMatchObject({ code: 0, stdout: "0.1.0\n" });
  });
});
