import { describe, expect, test } from "vitest";
import { readManifest, type Manifest } from "../../src/kubernetes/manifest.ts";

function manifestOf(text: string): Manifest {
  return readManifest("modules/a/1.0.0/manifest.yaml", true, Buffer.from(text));
}

describe("a manifest", () => {
  test("gives its objects, with empty texts for missing fields", () => {
    const { objects } = manifestOf(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a, namespace: b }\n---\nkind: 3\n---\n[7]\n",
    );
    expect(objects.map(({ file: _file, value: _value, ...object }) => object)).toEqual([
      { path: [], apiVersion: "apps/v1", kind: "Deployment", name: "a", namespace: "b" },
      { path: [], apiVersion: "", kind: "", name: "", namespace: "" },
    ]);
  });

  test("splits a list, also lists in lists, but no other kinds with items", () => {
    const { objects } = manifestOf(
      "kind: List\nitems:\n- { kind: A }\n- { kind: BList, items: [{ kind: B }] }\n---\nkind: C\nitems: [{ kind: D }]\n",
    );
    expect(objects.map(({ kind, path }) => [kind, path])).toEqual([
      ["A", ["items", 0]],
      ["B", ["items", 1, "items", 0]],
      ["C", []],
    ]);
  });

  test("reports unreadable parts, and keeps the rest, in any order of access", () => {
    const text = "kind: A\n---\nkind: [\n";
    const objectsFirst = manifestOf(text);
    expect(objectsFirst.objects).toHaveLength(1);
    expect(objectsFirst.findings).toHaveLength(1);
    const manifest = manifestOf(text);
    expect(manifest.findings.map(({ file, rule }) => [file, rule])).toEqual([
      ["modules/a/1.0.0/manifest.yaml", "yaml-syntax"],
    ]);
    expect(manifest.objects).toBe(manifest.objects);
  });

  test("can be searched without being read", () => {
    expect(manifestOf("kind: [").mentions("kind")).toBe(true);
    expect(manifestOf("kind: [").mentions("other")).toBe(false);
  });
});
