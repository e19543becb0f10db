import { describe, expect, it } from "vitest";
import { textShape } from "../../../src/catalogue/history/servedContent.ts";

const pattern = (text: string): string | undefined => textShape(Buffer.from(text))?.pattern;
const words = (text: string): readonly string[] | undefined => textShape(Buffer.from(text))?.words;
const [A, B] = [`a${"1".repeat(63)}`, `b${"2".repeat(62)}c`];

describe("the shape of a text", () => {
  it("is the same for other version numbers and digests", () => {
    expect(pattern(`x:1.2.3\ny: v1.2.3 sha256:${A}`)).toBe(pattern(`x:1.9.3\ny: v1.9.3 sha256:${B}`));
    expect(words(`1.2.3 ${A} 1.2.3 1.2.4-rc1`)).toEqual(["1.2.3", A, "1.2.4"]);
  });

  it("differs for words of another length or kind, and for other repetitions of words", () => {
    const texts = ["1.2.3 1.2.3", "1.2.3 1.2.4", "1.2.3 1.20.4", `1.2.${"1".repeat(60)} 1`, `${A} 1`];

    expect(new Set(texts.map(pattern)).size).toBe(texts.length);
  });

  it.each([
    "1.2",
    "1.2.3.4",
    "01.2.3",
    "a1.2.3",
    "1.2.3a",
    "1_1.2.3",
    "0x1.2.3",
    "1".repeat(64),
    `0b${"01".repeat(31)}`,
  ])("keeps %s as it is", (text) => {
    expect(textShape(Buffer.from(text))).toEqual({ pattern: text, words: [] });
  });

  it("is unknown when the text contains a backslash or a NUL", () => {
    expect([pattern('"\\x31.2.3"'), pattern("\0")]).toEqual([undefined, undefined]);
  });
});
