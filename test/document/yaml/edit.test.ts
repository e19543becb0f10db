import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { type FieldEdit, editText } from "../../../src/document/yaml/edit.ts";

const edited = (text: string, ...edits: readonly (readonly [path: string, value?: string])[]): string =>
  editText(
    text,
    parseYaml(text),
    edits.map(([path, value]): FieldEdit => ({ path: path.split("."), value, because: "" })),
  );

const TEXT = `# a template
metadata: # ours
    name: "old" # renamed
    labels:
        team: 'mesh'
spec:
    # the channel
    channel: none

    list:
    - a
    -   b   # aligned
`;

describe("an edit of a text", () => {
  it("changes only its own line", () => {
    expect(edited(TEXT, ["metadata.name", "new"], ["metadata.labels.team", "a"])).toBe(
      TEXT.replace('"old"', '"new"').replace("'mesh'", "'a'"),
    );
  });

  it("inserts a field after the name, or else at the start of its map, the last edit first", () => {
    expect(
      edited(
        TEXT,
        ["metadata.annotations.note", "x"],
        ["metadata.namespace", "kcp-system"],
        ["spec.version", "1.0.0"],
        ["spec.module", "istio"],
      ),
    ).toBe(
      TEXT.replace("# renamed\n", "# renamed\n    namespace: kcp-system\n    annotations:\n      note: x\n").replace(
        "    channel",
        "    module: istio\n    version: 1.0.0\n    channel",
      ),
    );
  });

  it("removes a field with all of its lines", () => {
    expect(edited(TEXT, ["spec.channel"], ["metadata.labels"])).toBe(
      TEXT.replace("    channel: none\n", "").replace("    labels:\n        team: 'mesh'\n", ""),
    );
    expect(edited(TEXT, ["spec.list"])).toBe(TEXT.slice(0, TEXT.indexOf("    list")));
  });

  it("changes nothing when the field to remove is missing", () => {
    expect(load(edited(TEXT, ["spec.missing"]))).toEqual(load(TEXT));
  });

  it("removes a field and inserts another one on the same line", () => {
    expect(edited("spec:\n  channel: none\n  a: 1\n", ["spec.channel"], ["spec.version", "1.0.0"])).toBe(
      "spec:\n  version: 1.0.0\n  a: 1\n",
    );
  });

  it("fills an empty field", () => {
    expect(edited("spec:\n  version:\n  a: 1\n", ["spec.version", "1.0.0"])).toBe("spec:\n  version: 1.0.0\n  a: 1\n");
    expect(edited('spec:\n  version: ""\n', ["spec.version", "1.0.0"])).toBe('spec:\n  version: "1.0.0"\n');
  });

  it("quotes text that a YAML parser could take for another type", () => {
    expect(edited("spec:\n  a: 1\n", ["spec.name", "off"], ["spec.other", "null"])).toBe(
      'spec:\n  other: "null"\n  name: "off"\n  a: 1\n',
    );
  });

  it("ends the last line, and unifies line ends", () => {
    expect(edited("spec:\r\n  a: 1", ["spec.b", "x"])).toBe("spec:\n  b: x\n  a: 1\n");
  });

  it.each([
    ["a map in flow style", "spec: { a: 1 } # gone\n"],
    ["JSON", '{"spec": {"a": 1}}'],
    ["a map that is missing", "spec:\n  a: 1\nnothing: null\n"],
    ["a map that is an alias", "base: &base\n  a: 1\nspec: *base\n"],
    ["a map that begins behind a colon", "? spec\n: a: 1\n"],
    ["a key with an anchor before it", "spec:\n  &key a: 1\n"],
  ])("prints the object anew where the text cannot be edited: %s", (_, text) => {
    const path = text.includes("nothing") ? "nothing.b" : "spec.b";
    const after = load(edited(text, [path, "x"])) as Record<string, Record<string, unknown>>;

    expect(after[path.slice(0, -2)]).toMatchObject({ b: "x" });
    expect(after["spec"]).toMatchObject({ a: 1 });
  });

  it.each([
    ["a block scalar", "spec:\n  a: |\n    one\n", "a"],
    ["a map", "spec:\n  a:\n    b: 1\n", "a"],
    ["a key written with a question mark", "spec:\n  ? a\n  ? b\n", "a"],
  ])("prints the object anew where the value is not a scalar on one line: %s", (_, text, key) => {
    expect(load(edited(text, [`spec.${key}`, "x"]))).toMatchObject({ spec: { [key]: "x" } });
    expect(load(edited(text, [`spec.${key}`]))).not.toMatchObject({ spec: { [key]: expect.anything() as unknown } });
  });

  it("prints JSON where parsers agree only on escapes", () => {
    const text = editText(undefined, { "\u0085": "\ufeff", a: 1 }, []);

    expect(text).toBe('{\n  "\\u0085": "\\ufeff",\n  "a": 1\n}\n');
    expect(load(text)).toEqual({ "\u0085": "\ufeff", a: 1 });
  });

  it("prints an object without a text in block style, with quotes where parsers would differ", () => {
    expect(editText(undefined, { a: { b: "on", c: ["017", "1e3", ""], d: "x ".repeat(60), "1": true } }, [])).toBe(
      `a:\n  "1": true\n  b: "on"\n  c:\n    - "017"\n    - "1e3"\n    - ""\n  d: "${"x ".repeat(60)}"\n`,
    );
  });
});
