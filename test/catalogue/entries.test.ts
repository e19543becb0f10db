import { describe, expect, it } from "vitest";
import { changeHolds, changeHotfixes } from "../../src/catalogue/entries.ts";
import { parseChannelName } from "../../src/catalogue/names.ts";
import type { Hotfix } from "../../src/catalogue/policy.ts";
import { edited, EMPTY, HOLD, holdsIn, version, without, WRITTEN } from "./holdsFile.ts";

const regular = parseChannelName("regular");
if (regular === undefined) throw new Error("regular is a channel");

describe("a list of entries", () => {
  it("begins with a new file that names its schema", () => {
    expect(changeHolds(undefined, { added: [HOLD] }))
      .toBe(`# yaml-language-server: $schema=../../schemas/holds.schema.json
format: 1
holds:
  - version: 1.2.0
    reason: leaks memory
    by: boss
    since: "2026-11-20T00:00:00Z"
`);
    expect(changeHolds(EMPTY, {})).toBe(
      "# yaml-language-server: $schema=../../schemas/holds.schema.json\nformat: 1\nholds: []\n",
    );
  });

  it("accepts hot-fixes, too", () => {
    const hotfix: Hotfix = {
      version: version("1.15.1"),
      channel: regular,
      incident: "https://github.com/org/name/issues/1",
      by: "boss",
      at: "2026-11-20T00:00:00Z",
      alsoFixedIn: [version("1.17.1")],
      debt: [{ kind: "backfill" }, { kind: "smoke", paidBy: "https://example.com/?run=1#2" }],
    };
    const text = changeHotfixes(undefined, { added: [hotfix, { ...hotfix, alsoFixedIn: [] }] });
    expect(text.split("  - version: 1.15.1\n    channel")[1]).toBe(`: regular
    incident: https://github.com/org/name/issues/1
    by: boss
    at: "2026-11-20T00:00:00Z"
    alsoFixedIn:
      - 1.17.1
    debt:
      - kind: backfill
      - kind: smoke
        paidBy: "https://example.com/?run=1#2"
`);
    expect(text).toContain("    alsoFixedIn: []\n");
    const module = {
      ...EMPTY,
      hotfixes: [hotfix],
      files: { ...EMPTY.files, hotfixes: { path: "", text, value: undefined } },
    };
    expect(changeHotfixes({ ...module, hotfixes: [hotfix, { ...hotfix, alsoFixedIn: [] }] }, {})).toBe(text);
  });

  it("stays as it is written when nothing changes", () => {
    expect(edited(WRITTEN, {})).toBe(WRITTEN);
    expect(edited("format: 1\nholds: []  # none\n", {})).toBe("format: 1\nholds: []  # none\n");
  });

  it("gets a new entry below the last one, and keeps everything else", () => {
    expect(edited(WRITTEN, { added: [HOLD] })).toBe(
      WRITTEN.replace(
        "# the end",
        `  - version: 1.2.0
    reason: leaks memory
    by: boss
    since: "2026-11-20T00:00:00Z"
# the end`,
      ),
    );
  });

  it("loses a removed entry with the comments directly above it, and keeps everything else", () => {
    const [head, first = "", second = ""] = WRITTEN.split(/(?= {2}# INC-)/);
    expect(edited(WRITTEN, { become: without("1.0.5") })).toBe(`${String(head)}\n${second}`);
    expect(edited(WRITTEN, { become: without("1.1.0") })).toBe(`${String(head)}${first}# the end\n`);
  });

  it("is empty, and still a list, when all entries go", () => {
    expect(edited(WRITTEN, { become: without("1.0.5", "1.1.0") }))
      .toBe(`# yaml-language-server: $schema=../../schemas/holds.schema.json
# Ask in #releases first.
format: 1
holds: []   # newest last

# the end
`);
  });

  it("changes an entry in its place, under its comments", () => {
    const text = edited(WRITTEN, { become: (hold) => (hold.version === "1.0.5" ? HOLD : hold) });
    const [head = "", rest = ""] = WRITTEN.split(/ {2}- version: 1\.0\.5[^]*Thursday\n/);
    expect(text).toBe(`${head}  - version: 1.2.0
    reason: leaks memory
    by: boss
    since: "2026-11-20T00:00:00Z"
${rest}`);
  });

  it("can have several changes at once", () => {
    const text = edited(WRITTEN, { become: without("1.0.5", "1.1.0"), added: [HOLD, HOLD] });
    expect(holdsIn(text)).toEqual([HOLD, HOLD]);
    expect(text).toContain("# Ask in #releases first.");
  });

  it("keeps the line ends of Windows", () => {
    const windows = WRITTEN.replaceAll("\n", "\r\n");
    expect(edited(windows, { added: [HOLD] })).toBe(edited(WRITTEN, { added: [HOLD] }).replaceAll("\n", "\r\n"));
  });

  it("ends with a line end", () => {
    expect(edited(WRITTEN.trimEnd(), { added: [HOLD] })).toBe(edited(WRITTEN, { added: [HOLD] }));
    expect(edited("format: 1\nholds: []", { added: [HOLD] })).toMatch(/^format: 1\nholds:\n {2}- version/);
  });
});
