import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeHolds } from "../../src/catalogue/entries.ts";
import type { Hold } from "../../src/catalogue/policy.ts";
import { edited, HOLD, holdsIn, version, withHolds, without, WRITTEN } from "./holdsFile.ts";

describe("the layout of a list of entries", () => {
  const entry = `{ version: 1.0.5, reason: "a, b", by: boss, since: "2026-01-01T00:00:00Z" }`;
  const json = JSON.stringify(HOLD);

  it("changes from an empty list in brackets to one below", () => {
    expect(edited("format: 1\nholds:   [ ]  # none\n# end\n", { added: [HOLD] })).toBe(`format: 1
holds:  # none
  - version: 1.2.0
    reason: leaks memory
    by: boss
    since: "2026-11-20T00:00:00Z"
# end
`);
  });

  it("stays in brackets when entries are in brackets", () => {
    const text = `format: 1 # one\nholds: [${entry}] # held\n`;
    expect(edited(text, { added: [HOLD] })).toBe(`format: 1 # one\nholds: [${entry}, ${json}] # held\n`);
    expect(edited(text, { become: () => HOLD })).toBe(`format: 1 # one\nholds: [${json}] # held\n`);
    expect(edited(text, { become: without("1.0.5") })).toBe("format: 1 # one\nholds: [] # held\n");
  });

  it("stays JSON", () => {
    expect(edited(`{"format":1,"holds":[]}`, { added: [HOLD] })).toBe(`{"format":1,"holds":[${json}]}\n`);
    expect(edited(`{"format":1,"holds":[${json},${json}]}`, { become: without("1.2.0") })).toBe(
      `{"format":1,"holds":[]}\n`,
    );
  });

  it("stays when dashes are below their key, with entries in brackets", () => {
    const text = `holds:\n- ${entry} # one\n- { version: 1.0.6,\n    reason: a, by: boss, since: "2026-01-01T00:00:00Z" }\nformat: 1\n`;
    const second = text.split("# one\n")[1];
    expect(edited(text, { become: without("1.0.5") })).toBe(`holds:\n${String(second)}`);
    expect(edited(text, { added: [HOLD] })).toContain(
      `Z" }\n- version: 1.2.0\n  reason: leaks memory\n  by: boss\n  since: "2026-11-20T00:00:00Z"\nformat: 1\n`,
    );
  });

  it.each([
    ["a key that is written apart", WRITTEN.replace("holds:   # newest last\n  #", "? holds\n:\n  #")],
    ["dashes on lines of their own", WRITTEN.replace("- version: 1.0.5", "-  # a - dash\n    version: 1.0.5")],
  ])("may be lost for %s, but no value is", (_, text) => {
    for (const change of [
      { added: [HOLD] },
      { become: without("1.0.5") },
      { become: without("1.0.5", "1.1.0") },
      { become: (): Hold => HOLD },
    ]) {
      const before = holdsIn(text);
      const become = "become" in change ? change.become : (hold: Hold): Hold => hold;
      const after = [...before.flatMap((hold) => become(hold) ?? []), ...("added" in change ? change.added : [])];
      expect(holdsIn(edited(text, change))).toEqual(after);
    }
  });

  it.each([
    ["that is not a map", "# mine\n# yours\n- 1\n", "# mine\n# yours"],
    ["without the list", "format: 1\n", "# yaml-language-server: $schema=../../schemas/holds.schema.json"],
  ])("is new in a file %s", (_, text, head) => {
    expect(changeHolds(withHolds(text, [HOLD]), {})).toBe(`${head}
format: 1
holds:
  - version: 1.2.0
    reason: leaks memory
    by: boss
    since: "2026-11-20T00:00:00Z"
`);
  });
});

const REASON = fc.oneof(
  fc.string({ unit: "binary", minLength: 1 }),
  fc.constantFrom(
    "no",
    "017",
    "1_000",
    "12:30",
    "~",
    "- a",
    "a: b",
    "a #b",
    "x:",
    " x ",
    "2026-01-01",
    "a\nb",
    "\u2028\ufeff\u0085",
    "# a",
    "[a]",
    "{",
    "&a",
    "*a",
    "!a",
    "'",
    '"',
    "%",
    "@a",
    "`",
  ),
);
const ENTRY = fc.record({
  version: fc.constantFrom("1.0.0", "1.0.5", "1.1.0-rc1").map(version),
  reason: REASON.filter((text) => /\S/.test(text)),
  by: fc.constantFrom("boss", "release-bot[bot]", "no", "017", "1e3"),
  since: fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-01T00:00:00+02:00"),
});

describe("a written change", () => {
  it("reads back as the same entries, and its removal restores the text", () => {
    fc.assert(
      fc.property(
        ENTRY,
        fc.constantFrom(
          WRITTEN,
          `{"format": 1, "holds": []}\n`,
          "format: 1\nholds:\n- version: 1.0.9\n  reason: a\n  by: b\n  since: 2026-01-01T00:00:00Z\n",
        ),
        (entry, text) => {
          const before = holdsIn(text);
          const after = edited(text, { added: [entry] });
          expect(holdsIn(after)).toEqual([...before, entry]);
          let left = before.length;
          expect(edited(after, { become: (hold) => (left-- > 0 ? hold : undefined) })).toBe(text);
        },
      ),
    );
  });

  it("in a new file reads back as the same entries", () => {
    fc.assert(
      fc.property(fc.array(ENTRY), (entries) => {
        expect(holdsIn(changeHolds(undefined, { added: entries }))).toEqual(entries);
      }),
    );
  });
});
