import { join } from "node:path";
import { describe, expect } from "vitest";
import { root, start } from "./clone.ts";
import { long } from "../support/long.ts";

const fixture = join(import.meta.dirname, "fixtures/docstrings");

describe("the docstring check", () => {
  long("sees an export without a docstring", async () => {
    const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
    const options = ["--options", join(root, "typedoc.json"), "--entryPoints", join(fixture, "src/*.ts")];
    const args = [typedoc, ...options, "--tsconfig", join(fixture, "tsconfig.json")];
    const { code, stdout, stderr } = await start(process.execPath, args, fixture).ended;
    expect(`${stdout}${stderr}`).toContain("undocumented (CallSignature)");
    expect(code).not.toBe(0);
  });
});
