import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt, type Excerpt } from "../../../src/check/report/excerpt.ts";

describe("an excerpt of a source line", () => {
  it.each<[string, string, number, number, Excerpt]>([
    ["is the whole line where it fits", "  version: 1.2.0", 12, 20, { text: "  version: 1.2.0", caret: 11 }],
    ["widens tabs", "\tversion: 1.2.0", 2, 20, { text: "  version: 1.2.0", caret: 2 }],
    ["knows wide characters", "名前: x", 5, 20, { text: "名前: x", caret: 6 }],
    ["knows characters of two code units", "🚀: x", 5, 20, { text: "🚀: x", caret: 4 }],
    ["knows halfwidth forms", "ｶﾅ: x", 5, 20, { text: "ｶﾅ: x", caret: 4 }],
    ["knows combining marks", "e\u0301: x", 5, 20, { text: "e\u0301: x", caret: 3 }],
    ["escapes invisible characters", "a\u200bb: x", 3, 20, { text: "a\\u200bb: x", caret: 7 }],
    ["points after the end", "a: 1", 5, 20, { text: "a: 1", caret: 4 }],
    ["points behind the end when the column is far beyond it", "a: 1", 99, 20, { text: "a: 1", caret: 4 }],
    ["never points into the middle of a character", "🚀: x", 2, 20, { text: "🚀: x", caret: 0 }],
    ["is cut on the right", "0123456789abcdefghij", 1, 10, { text: "012345678…", caret: 0 }],
    ["is cut on the left", "0123456789abcdefghij", 20, 10, { text: "…bcdefghij", caret: 9 }],
    ["is cut on both sides", "0123456789abcdefghij", 11, 10, { text: "…6789abcd…", caret: 5 }],
    ["is not cut in the middle of a wide character", "名名名名名名名名名名", 6, 10, { text: "…名名名名…", caret: 5 }],
  ])("%s", (_fact, line, column, width, expected) => {
    expect(excerpt(line, column, width)).toEqual(expected);
  });

  it("is cut out of a line of ten megabytes", () => {
    const line = `${"🚀".repeat(2_500_000)}${"\u0301".repeat(5_000_000)}`;

    expect(excerpt(line, 5_000_001, 20).caret).toBeLessThanOrEqual(20);
    expect(excerpt(line, 9_000_000, 20).text.length).toBeLessThan(200);
  });

  it("is never wider than the given width, and points into itself", () => {
    const text = fc.string({ unit: fc.constantFrom("a", " ", "名", "🚀", "\t", "\u001b", "\ud800"), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 130 }), fc.integer({ min: 20, max: 60 }), (line, column, width) => {
        const { text: shown, caret } = excerpt(line, column, width);
        const columns = Array.from(shown, (character) => (/[名🚀]/u.test(character) ? 2 : 1)).reduce(
          (a, b) => a + b,
          0,
        );

        expect(columns).toBeLessThanOrEqual(width);
        expect(caret).toBeLessThanOrEqual(columns);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }),
    );
  });
});
