import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionsIn } from "../../../src/systems/files/definitions.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder } from "../repository.ts";

const definition = (name: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${name}\n`;

describe("definitions", () => {
  it("are found in files and folders, in multi-document YAML and JSON, among other objects", async () => {
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
    const found = await definitionsIn([join(path, "one.yaml"), join(path, "crds")], quietRun());
    const names = found.map(({ metadata }) => metadata.name);

    expect(names.sort()).toEqual(["four", "one", "three", "two"]);
  });

  it("with the same name are refused as ambiguous", async () => {
    const { path, write } = emptyFolder();
    write({ "a.yaml": definition("one"), "b.yaml": definition("one") });

    await expect(definitionsIn([path], quietRun())).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: mentions(join(path, "b.yaml"), "one", "--crds FILE…"),
    });
  });

  it("must exist and be YAML", async () => {
    const { path, write } = emptyFolder();
    write({ "a.yaml": "kind: Namespace\n", "broken/b.yaml": "a: [" });

    await expect(definitionsIn([join(path, "a.yaml")], quietRun())).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: mentions("CustomResourceDefinition", join(path, "a.yaml")),
    });
    await expect(definitionsIn([join(path, "broken")], quietRun())).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: expect.stringContaining("b.yaml is not YAML") as string,
    });
    await expect(definitionsIn([join(path, "nowhere")], quietRun())).rejects.toMatchObject({ code: "CONFIGURATION" });
  });
});
