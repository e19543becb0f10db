import { expect, test } from "vitest";
import { readManifest } from "../../src/kubernetes/manifest.ts";
import { compareDefinitions } from "../../src/kubernetes/crd/compare.ts";
import { letters } from "./sampleCatalogue.ts";
import { sampleManifest } from "./sampleManifest.ts";

function definition(index: number, revision: number): unknown {
  const text = sampleManifest({ index, module: `sample-${letters(index)}`, version: "1.0.0" }, revision);
  const { objects, findings } = readManifest("manifest.yaml", true, Buffer.from(text));
  expect(findings).toEqual([]);
  return objects.find(({ kind }) => kind === "CustomResourceDefinition")?.value;
}

test("the manifest of a sample brings its own definition, and a later one adds a field and breaks nothing", () => {
  expect(definition(0, 0)).not.toEqual(definition(1, 0));
  const changes = compareDefinitions(definition(7, 0), definition(7, 1));
  expect(changes).not.toEqual([]);
  expect(changes.filter((change) => change.class === "breaking")).toEqual([]);
});
