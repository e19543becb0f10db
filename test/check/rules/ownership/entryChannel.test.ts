import { describe, expect, it } from "vitest";
import {
  BUMP,
  HOLDS,
  HOTFIXES,
  REGULAR,
  REGULAR_POLICY,
  templateText,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { entryChannel } from "../../../../src/check/rules/ownership/entryChannel.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

describe("the channel of a hold or a hot-fix", () => {
  const hold = (channel: string): ExampleFiles => ({
    [HOLDS]: `format: 1\nholds:\n  - { version: 1.1.0, channel: ${channel}, reason: r, by: b, since: "2026-01-01T00:00:00Z" }\n`,
  });
  const fix = (channel: string): ExampleFiles => ({
    [HOTFIXES]: `format: 1\nhotfixes:\n  - { version: 1.1.0, channel: ${channel}, incident: "https://e.x/1", by: b, at: "2026-01-01T00:00:00Z" }\n`,
  });
  const wide = (channel: string): readonly unknown[] => [
    mentions(`${HOLDS}:3 error`, `channel ${channel}`, "1.1.0", "all channels"),
  ];

  it("exists, for entries that the change adds and if it removes the channel", async () => {
    const renamed = { [REGULAR_POLICY]: undefined, [REGULAR]: undefined };

    expect(said(entryChannel, await wholeContext(hold("gone")))).toEqual(wide("gone"));
    expect(said(entryChannel, await contextOf({ change: fix("gone") }))).toEqual([
      mentions(`${HOTFIXES}:3 error`, "channel gone", "1.1.0", "all channels"),
    ]);
    expect(said(entryChannel, await contextOf({ base: { ...hold("gone"), ...fix("gone") }, change: BUMP }))).toEqual(
      [],
    );
    expect(said(entryChannel, await contextOf({ base: hold("regular"), change: renamed }))).toEqual(wide("regular"));
    expect(said(entryChannel, await contextOf({ base: fix("regular"), change: renamed }))).toEqual([
      mentions(`${HOTFIXES}:3 error`, "channel regular", "1.1.0", "all channels"),
    ]);
  });

  it("is not reported if the channel cannot be read", async () => {
    const broken = { ...hold("regular"), [REGULAR_POLICY]: "format: 1\nlandscapes: nowhere\n" };

    expect(said(entryChannel, await wholeContext(broken))).toEqual([]);
  });
});

describe("the module of a hold or a hot-fix", () => {
  const entry = '{ version: 1.1.0, reason: r, by: b, since: "2026-01-01T00:00:00Z" }';
  const fixed = '{ version: 1.1.0, channel: fast, incident: "https://e.x/1", by: b, at: "2026-01-01T00:00:00Z" }';
  const holds: ExampleFiles = { "modules/sampel/holds.yaml": `format: 1\nholds:\n  - ${entry}\n` };
  const hotfixes: ExampleFiles = { "modules/sampel/hotfixes.yaml": `format: 1\nhotfixes:\n  - ${fixed}\n` };

  it.each([
    ["holds", holds],
    ["hotfixes", hotfixes],
  ])("exists, for %s that the change adds", async (key, change) => {
    const found = [mentions(`modules/sampel/${key}.yaml:3 error`, "module sampel", "no effect", "1.1.0")];

    expect(said(entryChannel, await contextOf({ change }))).toEqual(found);
    expect(said(entryChannel, await wholeContext(change))).toEqual(found);
    expect(said(entryChannel, await contextOf({ base: change, change: BUMP }))).toEqual([]);
  });

  it("may have nothing but a module.yaml, or a template of a version, or be unreadable", async () => {
    for (const files of [
      { "modules/sampel/module.yaml": "format: 1\n" },
      { "modules/sampel/module.yaml": "format: [" },
      { "modules/sampel/1.1.0/template.yaml": templateText(undefined, "1.1.0").replaceAll("sample", "sampel") },
    ])
      expect(said(entryChannel, await contextOf({ change: { ...holds, ...files } }))).toEqual([]);
  });
});
