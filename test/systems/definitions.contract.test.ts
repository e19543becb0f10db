import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionsIn } from "../../src/systems/definitions.ts";
import { emptyFolder } from "./repository.ts";

const definition = (name: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${name}\n`;

const failure = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return error;
  }
};

describe("definitions", () => {
  it("are found in files and in folders, in YAML of several documents and in JSON, among other things", () => {
    const { path, write } = emptyFolder();
    write({
      "one.yaml": `${definition("one")}---\nkind: Namespace\n---\n${definition("two")}---\n`,
      "crds/three.yml": definition("three"),
      "crds/four.json": JSON.stringify({ kind: "CustomResourceDefinition", metadata: { name: "four" } }),
      "crds/readme.md": "not: looked at: at all",
      "crds/other.yaml": "just a text",
      "crds/empty.yaml": "",
      "crds/nameless.yaml": "kind: CustomResourceDefinition\n",
    });
    const names = definitionsIn([join(path, "one.yaml"), join(path, "crds")]).map(({ metadata }) => metadata.name);

    expect(names.sort()).toEqual(["four", "one", "three", "two"]);
  });

  it("of one name are refused: which of them is meant cannot be known", () => {
    const { path, write } = emptyFolder();
    write({ "a.yaml": definition("one"), "b.yaml": definition("one") });

    expect(failure(() => definitionsIn([path]))).toMatchObject({
      code: "CONFIGURATION",
      message: `${join(path, "b.yaml")} defines one once more. Name the files one by one: --crds FILE….`,
    });
  });

  it("must be there at all, and must be YAML", () => {
    const { path, write } = emptyFolder();
    write({ "a.yaml": "kind: Namespace\n", "broken/b.yaml": "a: [" });

    expect(failure(() => definitionsIn([join(path, "a.yaml")]))).toMatchObject({
      code: "CONFIGURATION",
      message: `There is no CustomResourceDefinition in ${join(path, "a.yaml")}.`,
    });
    expect(failure(() => definitionsIn([join(path, "broken")]))).toMatchObject({
      code: "CONFIGURATION",
      message: expect.stringContaining("b.yaml is not YAML") as string,
    });
    expect(failure(() => definitionsIn([join(path, "nowhere")]))).toMatchObject({ code: "FILE_UNREADABLE" });
  });
});
