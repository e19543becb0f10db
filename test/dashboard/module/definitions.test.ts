import { describe, expect, it } from "vitest";
import type { ModuleName } from "../../../src/catalogue/names.ts";
import { versionDefinitions } from "../../../src/dashboard/module/definitions.ts";
import { renderPage } from "../../../src/dashboard/layout.ts";
import { readManifest, type Manifest } from "../../../src/kubernetes/manifest.ts";
import { version } from "../../promote/verdict/timeline.ts";
import { HOSTILE, istio } from "./istio.ts";

const ISTIO = "istio" as ModuleName;

/** A definition whose spec has these fields. */
function definition(kind: string, properties: object): string {
  const names = { kind, plural: `${kind.toLowerCase()}s` };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } };
  return JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${names.plural}.example.com` },
    spec: {
      ...{ group: "example.com", scope: "Namespaced", names },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
}

const manifest = (...documents: readonly string[]): Manifest =>
  readManifest("manifest.yaml", true, Buffer.from(documents.join("\n---\n")));
const MESH = definition("Mesh", { size: { type: "integer", maximum: 5 }, name: { type: "string" } });

/** The changes from 1.0.0, which has MESH, to 1.1.0. */
function changesTo(now: Manifest | undefined, before: Manifest | undefined = manifest(MESH)) {
  const all = Object.entries({ "modules/istio/1.1.0/": now, "modules/istio/1.0.0/": before });
  const manifests = new Map(all.flatMap(([folder, one]) => (one === undefined ? [] : [[folder, one] as const])));
  const [first, ...rest] = versionDefinitions(ISTIO, [version("1.1.0"), version("1.0.0")], { manifests });
  expect(rest).toEqual([]);
  expect([first?.version, first?.before]).toEqual(["1.1.0", "1.0.0"]);
  return first?.changes?.map(({ definition: name, place, impact }) => [impact, name, place]);
}

describe("the changes of definitions from version to version", () => {
  it("are classified as in the gate, breaking ones first", () => {
    const size = { type: "integer", maximum: 3 };
    const more = { type: "boolean" };

    expect(changesTo(manifest(definition("Mesh", { more, name: { type: "string" }, size })))).toEqual([
      ["breaking", "meshs.example.com", "v1 .spec.size"],
      ["safe", "meshs.example.com", "v1 .spec.more"],
    ]);
  });

  it("are empty if nothing differs", () => {
    expect(changesTo(manifest(MESH))).toEqual([]);
    expect(changesTo(manifest("{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }"), manifest())).toEqual([]);
  });

  it("name new and removed definitions", () => {
    expect(changesTo(manifest(definition("Ring", {})))).toEqual([
      ["breaking", "meshs.example.com", ""],
      ["safe", "rings.example.com", ""],
    ]);
  });

  it.each<[string, Manifest | undefined, Manifest | undefined]>([
    ["the manifest of the version", undefined, manifest(MESH)],
    ["that of the version below", manifest(MESH), manifest("a: [")],
  ])("are not known without %s", (_, now, before) => {
    expect(changesTo(now, before)).toBeUndefined();
  });

  it("are on the page of the module, with remedies, as text", async () => {
    const fields = Object.fromEntries(Array.from({ length: 25 }, (_, place) => [`f${String(place)}`, {}]));
    const manifests = new Map([
      ["modules/istio/1.2.1/", manifest(definition("Mesh", { ...fields, [HOSTILE]: {} }))],
      ["modules/istio/1.2.0/", manifest(MESH)],
    ]);
    const address = { path: "/modules/istio", query: new URLSearchParams() };
    const { text } = renderPage(await istio({ manifests }), address, { theme: undefined, styles: [], scripts: [] });
    const [, section = ""] = /<section class="page-section" id="definitions"([^]*?)<\/section>/.exec(text) ?? [];

    expect(section).toContain("breaking");
    expect(section).toMatch(/and\s+\d+\s+safe/);
    expect(section).toMatch(/not known: [^<]*\bmanifests\b/);
    expect(section).not.toContain("<script>alert");
  });
});
