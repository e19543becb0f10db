import { describe, expect, it } from "vitest";
import { isLockFile, MANIFEST_PATH, manifestFiles, type Program } from "../../../src/catalogue/init/manifest.ts";

const CONTENT = new Uint8Array([31, 139]);
const manifestOf = (program: Partial<Program> & Pick<Program, "spec">): unknown =>
  JSON.parse(String(manifestFiles({ tarball: undefined, node: undefined, ...program }).get(MANIFEST_PATH)));

describe("package.json of a catalogue", () => {
  it("pins a version, or an address", () => {
    expect(manifestOf({ spec: { kind: "version", version: "0.1.0" } })).toEqual({
      name: "module-catalogue",
      private: true,
      dependencies: { "kyma-modules": "0.1.0" },
    });
    const address = "github:org/name#v1";
    expect(manifestOf({ spec: { kind: "address", address } })).toMatchObject({
      dependencies: { "kyma-modules": address },
    });
  });

  it("includes a tarball, and the package node when that runs the program", () => {
    const spec = { kind: "file", path: "../program.tgz" } as const;
    const files = manifestFiles({ spec, tarball: { name: "program.tgz", content: CONTENT }, node: "24.1.0" });

    expect(files.get(".ci/program.tgz")).toBe(CONTENT);
    expect(JSON.parse(String(files.get(MANIFEST_PATH)))).toMatchObject({
      dependencies: { "kyma-modules": "file:.ci/program.tgz" },
      devDependencies: { node: "24.1.0" },
      allowScripts: { node: true },
    });
  });
});

describe("a lock file", () => {
  const manifest = JSON.stringify(manifestOf({ spec: { kind: "version", version: "0.1.0" } }));
  const program = { version: "0.1.0", bin: { "kyma-modules": "src/cli/kyma-modules.js" } };
  const lock = (dependencies: object | undefined, installed: object | undefined): string =>
    JSON.stringify({ packages: { "": { dependencies }, "node_modules/kyma-modules": installed } });
  const wanted = { "kyma-modules": "0.1.0" };

  it.each([
    ["locks what package.json asks for", lock(wanted, program), true],
    ["is of another version", lock({ "kyma-modules": "0.2.0" }, program), false],
    ["lacks the program", lock(wanted, undefined), false],
    ["has a package of another program", lock(wanted, { version: "0.1.0", bin: { other: "a.js" } }), false],
    ["has a package without a program", lock(wanted, { version: "0.1.0" }), false],
    ["has no packages", "{}", false],
    ["is broken", "{", false],
    ["holds nothing", "null", false],
  ])("that %s", (_, text, expected) => {
    expect(isLockFile(text, manifest)).toBe(expected);
  });
});
