import { describe, expect, it } from "vitest";
import {
  BUMP,
  edit,
  FAST,
  HOLDS,
  REGULAR,
  templateText,
  type Example,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { versionChannel } from "../../../../src/check/rules/version/channel.ts";
import { versionDowngrade } from "../../../../src/check/rules/version/downgrade.ts";
import { versionJump } from "../../../../src/check/rules/version/jump.ts";
import { versionReused } from "../../../../src/check/rules/version/reused.ts";
import { contextOf, NO_BASE, NO_HISTORY, said, SHALLOW, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const fast = (version: string): ExampleFiles => ({ [FAST]: templateText("fast", version) });
const held = (...versions: readonly string[]): ExampleFiles => ({
  [HOLDS]: `format: 1\nholds:\n${versions.map((version) => `  - { version: ${version}, reason: leaks, by: boss, since: "2026-01-01T00:00:00Z" }\n`).join("")}`,
});
const VERSION_TEMPLATE = edit(
  edit(templateText("fast", "1.2.0"), "sample-fast", "sample-1.2.0"),
  "  channel: fast\n",
  "",
);

it("reads the allowed versions of a channel from the base", async () => {
  const change = { ...fast("1.2.0-dev"), "channels/fast.yaml": "format: 1\nversions: any\nlandscapes: [dev]\n" };
  expect(said(versionChannel, await contextOf({ change }))).toHaveLength(1);
  const folder = { "modules/sample/1.2.0/template.yaml": VERSION_TEMPLATE };
  expect(said(versionChannel, await contextOf({ change: folder }))).toEqual([]);
});

describe("a downgrade", () => {
  const judged = async (example: Example): Promise<readonly string[]> =>
    said(versionDowngrade, await contextOf(example));

  it("is below the highest that the channel ever served, not below what it serves now", async () => {
    const found = await judged({ history: [fast("1.5.0")], change: BUMP });
    expect(found).toEqual([mentions(`${FAST}:11 error`, "fast served", "sample 1.5.0", "1.2.0")]);
  });

  it("is not a withdrawal while a higher version is not held, or to what the channel never served", async () => {
    const history = [fast("1.0.0"), fast("1.5.0")];
    expect(await judged({ history, change: { ...fast("1.0.0"), ...held("1.1.0") } })).toHaveLength(1);
    expect(await judged({ history, change: { ...fast("1.0.0"), ...held("1.1.0", "1.5.0") } })).toEqual([]);
    expect(await judged({ history, change: { ...fast("1.0.1"), ...held("1.1.0", "1.5.0") } })).toHaveLength(1);
  });

  it("is judged after the entry was removed, too", async () => {
    const base = { [FAST]: undefined };
    expect(await judged({ base, history: [fast("1.5.0")], change: BUMP })).toHaveLength(1);
    expect(await judged({ change: { [REGULAR]: undefined } })).toEqual([]);
  });

  it("is judged only with a base and a known history", async () => {
    expect(said(versionDowngrade, await wholeContext({}))).toEqual([NO_BASE]);
    const context = await contextOf({ change: BUMP });
    expect(said(versionDowngrade, { ...context, facts: { ...context.facts, history: NO_HISTORY } })).toEqual([SHALLOW]);
    const empty = { kind: "known", value: new Map() } as const;
    expect(said(versionDowngrade, { ...context, facts: { ...context.facts, history: empty } })).toEqual([]);
  });
});

describe("a version with other content", () => {
  const OTHER = edit(templateText("fast", "1.2.0"), "replicas: 1", "replicas: 2");

  it("is found in the history of any channel, by its commit", async () => {
    const other = edit(templateText("regular", "1.2.0"), "replicas: 1", "replicas: 2");
    expect(said(versionReused, await contextOf({ history: [{ [REGULAR]: other }], change: BUMP }))).toEqual([
      mentions(`${FAST}:11 error`, "sample 1.2.0", "other content", "regular", "commit 0000000000"),
    ]);
  });

  it("is found in the base, even if the history is unknown", async () => {
    const path = "modules/sample/1.2.0/template.yaml";
    const context = await contextOf({ base: { [path]: VERSION_TEMPLATE }, change: { [FAST]: OTHER } });
    const expected = mentions(`${FAST}:11 error`, "sample 1.2.0", "other content", path);
    expect(said(versionReused, context)).toEqual([expected]);
    expect(said(versionReused, { ...context, facts: { ...context.facts, history: NO_HISTORY } })).toEqual([
      expected,
      SHALLOW,
    ]);
  });

  it("is not judged if the base has the same template, and always without a base", async () => {
    const manifest = { "modules/sample/1.1.0/manifest.yaml": "# other\n" };
    const history = [{ [FAST]: edit(templateText("fast", "1.1.0"), "replicas: 1", "replicas: 2") }];
    const context = await contextOf({ history, change: manifest });
    expect(said(versionReused, context)).toEqual([]);
    expect(said(versionReused, { ...context, facts: { ...context.facts, history: NO_HISTORY } })).toEqual([]);
    expect(said(versionReused, { ...context, base: undefined })).toHaveLength(1);
  });
});

it.each([
  ["1.0.0", "1.1.0", 0],
  ["1.0.0", "1.2.0", 1],
  ["1.9.0", "2.0.0", 0],
  ["1.9.0", "2.0.1", 0],
  ["1.9.0", "2.1.0", 1],
  ["1.9.0", "3.0.0", 1],
  ["2.0.0", "1.5.0", 0],
])("notes from %s to %s what is left out: %i", async (from, to, notes) => {
  expect(said(versionJump, await contextOf({ base: fast(from), change: fast(to) }))).toHaveLength(notes);
});

it("is found when a channel starts or stops serving a module", async () => {
  expect(said(versionJump, await contextOf({ base: { [FAST]: undefined }, change: fast("3.1.0") }))).toEqual([]);
  expect(said(versionJump, await contextOf({ change: { [FAST]: undefined } }))).toEqual([]);
});
