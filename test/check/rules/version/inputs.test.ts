import { expect, test } from "vitest";
import { FAST, manifestPath, manifestText, templateText, type ExampleFiles } from "../../../../src/check/example.ts";
import { versionInputs } from "../../../../src/check/rules/version/inputs.ts";
import { contextOf, NO_HISTORY, said, SHALLOW } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const FOLDER = "modules/sample/1.1.0";
const CONFIG = `${FOLDER}/module-config.yaml`;
const DEFAULT_CR = `${FOLDER}/default.yaml`;
const refused = (path: string): unknown => mentions(`${path}:1 error`, "sample 1.1.0", "not built");

async function judged(base: ExampleFiles, change: ExampleFiles): Promise<readonly string[]> {
  return said(versionInputs, await contextOf({ base: { [FAST]: templateText("fast", "1.1.0"), ...base }, change }));
}

test("the build inputs of a version in service may not be removed", async () => {
  expect(await judged({}, { [manifestPath("1.1.0")]: undefined })).toEqual([refused(manifestPath("1.1.0"))]);
});

test("nor may its configuration, its default CR, or the address of its manifest be another", async () => {
  const config = "name: sample\nversion: 1.1.0\ndefaultCR: default.yaml\n";
  const base = { [CONFIG]: config, [DEFAULT_CR]: "kind: Sample\n" };
  expect(await judged(base, { [CONFIG]: `${config}requiresDowntime: true\n` })).toEqual([refused(CONFIG)]);
  expect(await judged(base, { [DEFAULT_CR]: "kind: Other\n" })).toEqual([refused(DEFAULT_CR)]);
  // What a configuration names that cannot be read is not known to have changed.
  expect(await judged(base, { [CONFIG]: "a: [" })).toEqual([refused(CONFIG)]);
  const linked = { [CONFIG]: "manifest: https://example.com/1.yaml\n" };
  expect(await judged(linked, { [CONFIG]: "manifest: https://example.com/2.yaml\n" })).toEqual([refused(CONFIG)]);
});

test("the build inputs of a version that a channel served before do not change either", async () => {
  const path = manifestPath("1.1.0");
  const change = { [path]: manifestText("1.1.9") };
  const bumped = { [FAST]: templateText("fast", "1.2.0") };
  const error = [refused(path)];

  expect(await judged({}, { ...bumped, ...change })).toEqual(error);
  const served = { base: bumped, history: [{ [FAST]: templateText("fast", "1.1.0") }], change };
  const context = await contextOf(served);
  expect(said(versionInputs, context)).toEqual(error);

  expect(said(versionInputs, await contextOf({ base: bumped, change }))).toEqual([]);
  const shallow = { ...context.facts, history: NO_HISTORY, servedInputs: new Map() };
  expect(said(versionInputs, { ...context, facts: shallow })).toEqual([SHALLOW]);
});

test("a manifest that is added is what the version was built from, if that is known", async () => {
  const path = manifestPath("1.1.0");
  const address = "https://github.com/sample/sample/releases/download/1.1.0/sample.yaml";
  const added = async (text: string, links?: Record<string, string>): Promise<readonly string[]> => {
    const change = { base: { [path]: undefined }, change: { [path]: text } };
    return said(
      versionInputs,
      await contextOf({ ...change, ...(links && { outside: { components: { "sample 1.1.0": undefined }, links } }) }),
    );
  };
  const published = { [address]: manifestText("1.1.0") };

  expect(await added(manifestText("1.1.0"), published)).toEqual([]);
  expect(await added(manifestText("1.0.0"), published)).toEqual([
    mentions(`${path}:1 error`, "sample 1.1.0", address, "other content"),
  ]);
  expect(await added(manifestText("1.1.0"))).toEqual([mentions("not run", path, "compared")]);
});

test("they may be added where there were none", async () => {
  expect(await judged({ [manifestPath("1.1.0")]: undefined }, { [CONFIG]: "name: sample\n" })).toEqual([]);
});
