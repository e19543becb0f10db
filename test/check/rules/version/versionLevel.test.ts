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

const SIZE = "size: { type: string, enum: [small, large] }";
const MORE = `${SIZE}\n                mode: { type: string }`;
const PATCH: ExampleFiles = { [FAST]: templateText("fast", "1.1.1"), [manifestPath("1.1.1")]: manifestText("1.1.1") };
const SECOND =
  "\n    - { name: v2, served: true, storage: false, schema: { openAPIV3Schema: { type: object } } }\n---\napiVersion: v1\n";

function patch(text: string): ExampleFiles {
  return { ...PATCH, [manifestPath("1.1.1")]: text };
}

function added(what: string): string {
  return `${FAST}:11 error 1.1.1 is a patch of 1.1.0, which fast serves, but it adds ${what}.`;
}

describe("a patch", () => {
  test("may correct what is there", async () => {
    expect(await saidOf(versionLevel, { change: PATCH })).toEqual([]);
    expect(
      await saidOf(versionLevel, { change: patch(edit(manifestText("1.1.1"), "maximum: 5", "maximum: 6")) }),
    ).toEqual([]);
  });

  test("may not add fields, versions and kinds", async () => {
    const field = "the field .spec.mode of samples.operator.example.com v1";
    expect(await saidOf(versionLevel, { change: patch(edit(manifestText("1.1.1"), SIZE, MORE)) })).toEqual([
      added(field),
    ]);
    const version = edit(manifestText("1.1.1"), "\n---\napiVersion: v1\n", SECOND);
    expect(await saidOf(versionLevel, { change: patch(version) })).toEqual([
      added("the version v2 of samples.operator.example.com"),
    ]);
    const [definition = ""] = manifestText("1.1.1").split("---\n");
    const kind = `${definition.replaceAll("samples", "others").replaceAll("Sample", "Other").replace("sample }", "other }")}---\n${manifestText("1.1.1")}`;
    expect(await saidOf(versionLevel, { change: patch(kind) })).toEqual([
      added("the kind others.operator.example.com"),
    ]);
  });

  test("may not add rights", async () => {
    const rule = '{ apiGroups: [""], resources: [pods], verbs: [get] }';
    const change = { ...PATCH, ...boundManifest("1.1.1", rule) };
    expect(await saidOf(versionLevel, { base: BOUND, change })).toEqual([added("these rights: get on pods")]);
  });

  test("is not judged where a fact is missing", async () => {
    const base = { [manifestPath("1.1.0")]: undefined };
    expect(await saidOf(versionLevel, { base, change: PATCH })).toEqual([
      expect.stringContaining("not run: it was not compared with 1.1.0, since "),
    ]);
    const change = { ...PATCH, [manifestPath("1.1.1")]: undefined };
    expect(await saidOf(versionLevel, { change })).toEqual([expect.stringContaining("not run: ")]);
    expect(said(versionLevel, withoutResources(await judgedContext({ change: PATCH })))).toEqual([
      "not run: the fact was not gathered",
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
