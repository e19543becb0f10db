import { describe, expect, it } from "vitest";
import { parsePackageSpec, specOfInstalled } from "../../../src/catalogue/init/packageSpec.ts";

const COMMIT = "d36c63f8a600cde9da22979f4ea195724d81884b";

describe("the program that a catalogue pins", () => {
  it.each([
    ["0.1.0", { kind: "version", version: "0.1.0" }],
    ["1.0.0-rc.1", { kind: "version", version: "1.0.0-rc.1" }],
    ["kyma-modules-0.1.0.tgz", { kind: "file", path: "kyma-modules-0.1.0.tgz" }],
    ["../a b/program.tar.gz", { kind: "file", path: "../a b/program.tar.gz" }],
    ["file:/srv/program.tgz", { kind: "file", path: "/srv/program.tgz" }],
    ["https://example.com/program.tgz", { kind: "address", address: "https://example.com/program.tgz" }],
    ["github:org/name#v0.1.0", { kind: "address", address: "github:org/name#v0.1.0" }],
    [
      `git+https://example.com/a.git#${COMMIT}`,
      { kind: "address", address: `git+https://example.com/a.git#${COMMIT}` },
    ],
    ["git+ssh://git@example.com/a.git#v1", { kind: "address", address: "git+ssh://git@example.com/a.git#v1" }],
    ["git@example.com:a.git#v1", { kind: "address", address: "git@example.com:a.git#v1" }],
  ])("is %s", (text, spec) => {
    expect(parsePackageSpec(text)).toEqual(spec);
  });

  it.each([
    ["a tag", "latest"],
    ["a range", "^0.1.0"],
    ["half a version", "0.1"],
    ["an implicit default branch", "github:org/name"],
    ["an address without https", "http://example.com/program.tgz"],
    ["a tarball of another protocol", "ftp://example.com/program.tgz"],
    ["a folder", "../kyma-modules"],
    ["an option", "--global"],
    ["nothing", ""],
  ])("is not %s: %s", (_, text) => {
    expect(parsePackageSpec(text)).toBeUndefined();
  });

  it.each([
    ["its file", "file:/srv/program.tgz", { kind: "file", path: "/srv/program.tgz" }],
    ["its commit", `git+https://example.com/a.git#${COMMIT}`, { kind: "address" }],
    ["its address", "https://example.com/program.tgz", { kind: "address" }],
    [
      "its version, from a registry",
      "https://r.example/npm/kyma-modules/-/kyma-modules-0.1.0.tgz",
      { kind: "version" },
    ],
    ["its version, where npm says no more", undefined, { kind: "version", version: "0.1.0" }],
  ])("is by default the running one: %s", (_, resolved, spec) => {
    expect(specOfInstalled({ version: "0.1.0", resolved })).toMatchObject(spec);
  });
});
