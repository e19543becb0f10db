import { describe, expect, it } from "vitest";
import { historicPaths, lookUpAtHead, lookUpInHistory } from "../../src/catalogue/lookup.ts";
import { parseModuleName, type ModuleName } from "../../src/catalogue/names.ts";
import type { HistoricFile } from "../../src/catalogue/snapshot.ts";
import { parseVersion, type ModuleVersion } from "../../src/catalogue/version.ts";
import { catalogueOf, filesOf } from "../sync/catalogueFiles.ts";

const certs = must(parseModuleName("certs"));

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the test's own input is wrong");
  return value;
}

const version = (text: string): ModuleVersion => must(parseVersion(text));
const moduleName = (text: string): ModuleName => must(parseModuleName(text));

/** What `fast` had of certs in one commit. */
function historic(
  revision: string,
  spec: { readonly version: string; readonly data?: unknown } | string,
): HistoricFile {
  const path = "channels/fast/certs.yaml";
  const text = typeof spec === "string" ? spec : must(filesOf({ channels: { fast: { certs: spec } } }).get(path));
  return { path, revision, bytes: Buffer.from(text) };
}

describe("looking up a version at head", () => {
  const catalogue = catalogueOf({
    channels: { fast: { certs: "1.1.0" }, regular: { certs: "1.0.0", mesh: "1.0.0" } },
    versions: { "certs/1.0.0": {}, "certs/0.9.0": {} },
  });

  it("prefers the file of a channel to the one in modules/", () => {
    expect(lookUpAtHead(catalogue, certs, version("1.0.0"))?.file.path).toBe("channels/regular/certs.yaml");
  });

  it("finds a version that no channel serves any more in modules/", () => {
    expect(lookUpAtHead(catalogue, certs, version("0.9.0"))?.file.path).toBe("modules/certs/0.9.0/template.yaml");
  });

  it("gives nothing for a version or a module that only history can know", () => {
    expect(lookUpAtHead(catalogue, certs, version("0.8.0"))).toBeUndefined();
    expect(lookUpAtHead(catalogue, moduleName("unknown"), version("1.0.0"))).toBeUndefined();
  });

  it("asks history for the module's file in every channel", () => {
    expect(historicPaths(catalogue, certs)).toEqual(["channels/fast/certs.yaml", "channels/regular/certs.yaml"]);
  });
});

describe("looking up a version in history", () => {
  it("takes the newest content that has it", () => {
    const files = [
      historic("c", { version: "1.2.0" }),
      historic("b", { version: "1.1.0", data: { a: 2 } }),
      historic("a", { version: "1.1.0", data: { a: 1 } }),
    ];
    const data = { apiVersion: "v1", kind: "Sample" };
    const readable = files.map((file) => ({
      ...file,
      bytes: Buffer.from(String(file.bytes).replace('"a": ', `"apiVersion": "v1", "kind": "Sample", "a": `)),
    }));

    expect(lookUpInHistory(readable, certs, version("1.1.0"))?.object.spec["data"]).toEqual({ ...data, a: 2 });
  });

  it("passes over files that were broken at the time, in syntax or in content", () => {
    const files = [historic("c", "a: [1\n"), historic("b", "a: 1\n"), historic("a", { version: "1.1.0" })];

    expect(lookUpInHistory(files, certs, version("1.1.0"))?.version).toBe("1.1.0");
  });

  it("gives nothing when no content ever had it", () => {
    expect(lookUpInHistory([historic("a", { version: "1.1.0" })], certs, version("1.0.0"))).toBeUndefined();
  });
});
