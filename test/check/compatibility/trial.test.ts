import { describe, expect, test } from "vitest";
import { bumpManifest, type ExampleFiles } from "../../../src/check/example.ts";
import { crdCompatible } from "../../../src/check/rules/crd/compatible.ts";
import { sampleValid } from "../../../src/check/rules/crd/sampleValid.ts";
import { mentions } from "../../support/mentions.ts";
import { saidOf } from "../rules/resourceContexts.ts";

/** The bump of the sample whose spec has one more keyword. */
function demanding(keyword: string): ExampleFiles {
  return bumpManifest("            spec:\n", `            spec:\n              ${keyword}\n`);
}

describe("a refusal of which only the message names the field", () => {
  test.each([
    ["not", "not: { required: [size] }"],
    ["oneOf", "oneOf: [{ required: [size] }, { properties: { size: { maxLength: 9 } } }]"],
    ["anyOf", "anyOf: [{ properties: { size: { enum: [large] } } }]"],
    ["allOf", "allOf: [{ not: { required: [size] } }]"],
  ])("proves a break by %s", async (_, keyword) => {
    expect(await saidOf(crdCompatible, { change: demanding(keyword) })).toContainEqual(
      mentions("error", ".spec", "1.1.0, 1.0.0 (proven)", "size:"),
    );
  });

  test("is shown at that field", async () => {
    const file = "modules/sample/1.2.0/samples/a.yaml";
    const object = "apiVersion: operator.example.com/v1\nkind: Sample\nmetadata: { name: a }\nspec: { size: small }\n";

    expect(
      await saidOf(sampleValid, { change: { ...demanding("not: { required: [size] }"), [file]: object } }),
    ).toEqual([mentions(`${file}:4 error`, "spec", "(not)")]);
  });
});
