import { expect, test } from "vitest";
import { FAST, manifestPath, templateText, type ExampleFiles } from "../../../../src/check/example.ts";
import { versionInputs } from "../../../../src/check/rules/version/inputs.ts";
import { contextOf, said } from "../../contexts.ts";

const FOLDER = "modules/sample/1.1.0";
const CONFIG = `${FOLDER}/module-config.yaml`;
const DEFAULT_CR = `${FOLDER}/default.yaml`;
const MESSAGE = "A channel serves sample 1.1.0, but it was not built from this content.";

async function judged(base: ExampleFiles, change: ExampleFiles): Promise<readonly string[]> {
  return said(versionInputs, await contextOf({ base: { [FAST]: templateText("fast", "1.1.0"), ...base }, change }));
}

test("the build inputs of a version in service may not be removed", async () => {
  expect(await judged({}, { [manifestPath("1.1.0")]: undefined })).toEqual([
    `${manifestPath("1.1.0")}:1 error ${MESSAGE}`,
  ]);
});

test("nor may its configuration, its default CR, or the address of its manifest be another", async () => {
  const config = "name: sample\nversion: 1.1.0\ndefaultCR: default.yaml\n";
  const base = { [CONFIG]: config, [DEFAULT_CR]: "kind: Sample\n" };
  expect(await judged(base, { [CONFIG]: `${config}requiresDowntime: true\n` })).toEqual([
    `${CONFIG}:1 error ${MESSAGE}`,
  ]);
  expect(await judged(base, { [DEFAULT_CR]: "kind: Other\n" })).toEqual([`${DEFAULT_CR}:1 error ${MESSAGE}`]);
  // What a configuration names that cannot be read is not known to have changed.
  expect(await judged(base, { [CONFIG]: "a: [" })).toEqual([`${CONFIG}:1 error ${MESSAGE}`]);
  const linked = { [CONFIG]: "manifest: https://example.com/1.yaml\n" };
  expect(await judged(linked, { [CONFIG]: "manifest: https://example.com/2.yaml\n" })).toEqual([
    `${CONFIG}:1 error ${MESSAGE}`,
  ]);
});

test("they may be added where there were none", async () => {
  expect(await judged({ [manifestPath("1.1.0")]: undefined }, { [CONFIG]: "name: sample\n" })).toEqual([]);
});
