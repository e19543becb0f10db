import { describe, expect, test } from "vitest";
import {
  BUMP,
  bumpManifest,
  edit,
  FAST,
  manifestPath,
  manifestText,
  templateText,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { BOUND, boundManifest } from "../../../../src/check/rules/rights/gain.ts";
import { versionLevel } from "../../../../src/check/rules/version/level.ts";
import { said } from "../../contexts.ts";
import { judgedContext, saidOf, withoutResources } from "../resourceContexts.ts";
import { mentions } from "../../../support/mentions.ts";

const SIZE = "size: { type: string, enum: [small, large] }";
const MORE = `${SIZE}\n                mode: { type: string }`;
const PATCH: ExampleFiles = { [FAST]: templateText("fast", "1.1.1"), [manifestPath("1.1.1")]: manifestText("1.1.1") };
const SECOND =
  "\n    - { name: v2, served: true, storage: false, schema: { openAPIV3Schema: { type: object } } }\n---\napiVersion: v1\n";

function patch(text: string): ExampleFiles {
  return { ...PATCH, [manifestPath("1.1.1")]: text };
}

function added(...what: readonly string[]): unknown {
  return mentions(`${FAST}:11 error`, "1.1.1", "patch", "1.1.0", "fast", ...what);
}

describe("a patch", () => {
  test("may correct what is there", async () => {
    expect(await saidOf(versionLevel, { change: PATCH })).toEqual([]);
    expect(
      await saidOf(versionLevel, { change: patch(edit(manifestText("1.1.1"), "maximum: 5", "maximum: 6")) }),
    ).toEqual([]);
  });

  test("may not add fields, versions and kinds", async () => {
    expect(await saidOf(versionLevel, { change: patch(edit(manifestText("1.1.1"), SIZE, MORE)) })).toEqual([
      added("field .spec.mode", "samples.operator.example.com v1"),
    ]);
    const version = edit(manifestText("1.1.1"), "\n---\napiVersion: v1\n", SECOND);
    expect(await saidOf(versionLevel, { change: patch(version) })).toEqual([
      added("version v2", "samples.operator.example.com"),
    ]);
    const [definition = ""] = manifestText("1.1.1").split("---\n");
    const kind = `${definition.replaceAll("samples", "others").replaceAll("Sample", "Other").replace("sample }", "other }")}---\n${manifestText("1.1.1")}`;
    expect(await saidOf(versionLevel, { change: patch(kind) })).toEqual([added("kind others.operator.example.com")]);
  });

  test("may not add rights", async () => {
    const rule = '{ apiGroups: [""], resources: [pods], verbs: [get] }';
    const change = { ...PATCH, ...boundManifest("1.1.1", rule) };
    expect(await saidOf(versionLevel, { base: BOUND, change })).toEqual([added("rights", "get on pods")]);
  });

  test("is not judged where a fact is missing", async () => {
    const base = { [manifestPath("1.1.0")]: undefined };
    expect(await saidOf(versionLevel, { base, change: PATCH })).toEqual([mentions("not run", "1.1.0")]);
    const change = { ...PATCH, [manifestPath("1.1.1")]: undefined };
    expect(await saidOf(versionLevel, { change })).toEqual([expect.stringContaining("not run: ")]);
    expect(said(versionLevel, withoutResources(await judgedContext({ change: PATCH })))).toEqual([
      mentions("not run", "not gathered"),
    ]);
  });
});

test("other steps may add what they like", async () => {
  expect(await saidOf(versionLevel, { change: bumpManifest(SIZE, MORE) })).toEqual([]);
  expect(await saidOf(versionLevel, { change: { [FAST]: undefined } })).toEqual([]);
  expect(await saidOf(versionLevel, { base: { [FAST]: undefined }, change: BUMP })).toEqual([]);
  const back = {
    [FAST]: templateText("fast", "1.1.0"),
    [manifestPath("1.1.0")]: edit(manifestText("1.1.0"), SIZE, MORE),
  };
  expect(await saidOf(versionLevel, { base: PATCH, change: back })).toEqual([]);
});
