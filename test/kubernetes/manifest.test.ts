import { describe, expect, test } from "vitest";
import { readManifest, type Manifest } from "../../src/kubernetes/manifest.ts";

function manifestOf(text: string): Manifest {
  return readManifest("modules/a/1.0.0/manifest.yaml", true, Buffer.from(text));
}

describe("a manifest", () => {
  test("gives its objects, with empty texts for missing fields", () => {
    const { objects } = manifestOf(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a, namespace: b }\n---\nkind: 3\n",
    );
    expect(objects.map(({ file: _file, value: _value, ...object }) => object)).toEqual([
      { path: [], apiVersion: "apps/v1", kind: "Deployment", name: "a", namespace: "b" },
      { path: [], apiVersion: "", kind: "", name: "", namespace: "" },
    ]);
  });

  test("splits everything with a list of items, whatever its kind, and lists in lists", () => {
    const { objects, findings } = manifestOf(
      "kind: List\nitems:\n- { kind: A }\n- { kind: BList, items: [{ kind: B }] }\n---\nkind: C\nitems: [{ kind: D }]\n",
    );
    expect(objects.map(({ kind, path }) => [kind, path])).toEqual([
      ["A", ["items", 0]],
      ["B", ["items", 1, "items", 0]],
      ["D", ["items", 0]],
    ]);
    expect(findings).toEqual([]);
  });

  test.each([
    ["a list without items", "kind: A\n---\nkind: C\nitems: null\n", "4:8"],
    ["a list with other items", "kind: A\n---\nkind: List\nitems: { kind: B }\n", "4:1"],
    ["an item that is not an object", "kind: A\n---\nkind: List\nitems: [B]\n", "4:9"],
    ["a document that is not an object", "kind: A\n---\n- kind: B\n", "3:1"],
    ["text after ---", "kind: A\n--- { kind: B }\n", "2:1"],
    ["a line that begins with ---", "kind: A\n----\nkind: B\n", "2:1"],
    ["a document after ...", "kind: A\n---\nkind: B\n... # end\n\nkind: C\n", "4:1"],
    ["text on the line of ...", "kind: A\n... B\n", "2:1"],
  ])("reports what lifecycle-manager does not install: %s", (_what, text, place) => {
    const { objects, findings } = manifestOf(text);
    expect(findings.map(({ line, column }) => `${line}:${column}`)).toEqual([place]);
    expect(objects.map(({ kind }) => kind)).not.toContain("C");
  });

  test("may end with ..., have comments after ---, and documents of nothing", () => {
    const { objects, findings } = manifestOf(
      "null\n--- # one\nkind: A\n...\n---# two\nkind: B\n... # end\n# nothing\n",
    );
    expect([objects.map(({ kind }) => kind), findings]).toEqual([["A", "B"], []]);
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
