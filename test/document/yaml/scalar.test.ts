import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument, type Tags } from "yaml";
import { ambiguity, isTyped } from "../../../src/document/yaml/scalar.ts";
import { mentions } from "../../support/mentions.ts";
import { tries } from "../../support/tries.ts";

/** Without timestamps: no reader of these files makes dates of them. */
const withoutTimestamps = (tags: Tags): Tags =>
  tags.filter((tag) => tag !== "timestamp" && (typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:timestamp"));

const NOT_READ = Symbol("not read");

/** The value of `text` alone on a line, as the package `yaml` reads it. */
function valueOf(text: string, version: "1.1" | "1.2"): unknown {
  const schema = version === "1.1" ? "yaml-1.1" : "core";
  const document = parseDocument(`- ${text}\n`, { version, schema, customTags: withoutTimestamps, logLevel: "silent" });
  const value: unknown = document.toJS();
  return document.errors.length === 0 && Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : NOT_READ;
}

/** Whether `text` is one plain scalar: not quoted, not a list, a map, an alias, or a comment. */
function isPlain(text: string): boolean {
  const value = valueOf(text, "1.2");
  return value !== NOT_READ && (typeof value !== "string" || value === text) && typeof value !== "object";
}

const WORDS: readonly string[] = [
  ...["y", "Y", "n", "N", "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF"],
  ...["true", "True", "TRUE", "false", "null", "Null", "~", "<<", "=", "0o", "0x", "0b", "1:30", "190:20:30"],
  ...["e", "E", "+", "-", ".", "_", ":", "inf", ".inf", ".nan", "0", "1", "7", "8", "9", "12", "a", "f", "T", " "],
];

const plain: fc.Arbitrary<string> = fc
  .oneof(
    fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join("").trim()),
    fc.string({ unit: fc.constantFrom(...Array.from("0123456789+-._eExob:aFyYnN~=<")), minLength: 1, maxLength: 7 }),
  )
  .filter((text) => text !== "" && isPlain(text));

/** `yaml` takes a dot or an exponent without a digit for a number, NaN; YAML 1.1 wants a digit, and so do Go and Python. */
function isMisread(text: string): boolean {
  return Number.isNaN(valueOf(text, "1.1")) && !/[0-9].*(?:[eE]|$)/.test(text.replace(/[eE].*/, ""));
}

describe("ambiguity", () => {
  it("gives a reason whenever YAML 1.1 and 1.2 read different values", () => {
    fc.assert(
      fc.property(plain, (text) => {
        fc.pre(!isMisread(text) && !Object.is(valueOf(text, "1.1"), valueOf(text, "1.2")));

        expect(ambiguity(text)).toBeDefined();
      }),
      { ...tries(200), maxSkipsPerRun: 1_000 },
    );
  });

  it("gives no reason when they agree, except where some readers of 1.1 or of JSON differ", () => {
    const elsewhere =
      /^(?:<<|=|[-+]?0[0-9]+|[-+]?[0-9.]+[eE][-+]?[0-9]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?[0-9]{16,})$/;
    fc.assert(
      fc.property(plain, (text) => {
        fc.pre(Object.is(valueOf(text, "1.1"), valueOf(text, "1.2")) && !elsewhere.test(text));

        expect(ambiguity(text)).toBeUndefined();
      }),
      { ...tries(500), maxSkipsPerRun: 1_000 },
    );
  });

  it.each<readonly [string, ...string[]]>([
    ["no", "boolean", "1.1", "text", "1.2"],
    ["y", "boolean", "1.1", "text", "1.2"],
    ["ON", "boolean", "1.1", "text", "1.2"],
    ["017", "octal", "1.1", "decimal", "1.2"],
    ["0o17", "text", "1.1", "octal", "1.2"],
    ["0b11", "number", "1.1", "text", "1.2"],
    ["-0x1F", "number", "1.1", "text", "1.2"],
    ["0x1_F", "number", "1.1", "text", "1.2"],
    ["1_000", "number", "1.1", "text", "1.2"],
    ["1_0.5", "number", "1.1", "text", "1.2"],
    ["12:30:45", "base 60", "1.1", "text", "1.2"],
    ["1e3", "text", "1.1", "number", "1.2"],
    ["1.5e3", "text", "1.1", "number", "1.2"],
    ["9007199254740993", "integer", "too large", "JSON"],
    ["0xFFFFFFFFFFFFFFFF", "integer", "too large", "JSON"],
    ["1.5e+400", "number", "too large", "JSON"],
    ["-.inf", "number", "JSON", "not have"],
    [".NaN", "number", "JSON", "not have"],
    ["<<", "instruction", "1.1", "text", "1.2"],
    ["=", "instruction", "1.1", "text", "1.2"],
  ])("reports %s as %s", (text, ...parts) => {
    expect(ambiguity(text)).toEqual(mentions(...parts));
  });

  it.each([
    "",
    "~",
    "null",
    "true",
    "9007199254740991",
    "0x1fffffffffffff",
    "False",
    "0",
    "-12",
    "1.5",
    ".5",
    "5.",
    "1.5e+3",
    "0x1F",
    "1.2.3",
    "1.0.0-rc1",
    "nope",
  ])("does not report %j", (text) => {
    expect(ambiguity(text)).toBeUndefined();
  });

  it("does not report dates, since every reader of these files keeps them as text", () => {
    expect(ambiguity("2026-01-01")).toBeUndefined();
    expect(ambiguity("2026-01-01T10:00:00Z")).toBeUndefined();
  });

  it("takes linear time for text that begins like a number", () => {
    for (const text of ["1".repeat(1e6), "1_".repeat(5e5), "1:".repeat(5e5), "1.".repeat(5e5)]) ambiguity(`${text}x`);
  });
});

describe("isTyped", () => {
  it("is true for the plain scalars that YAML 1.2 does not read as text", () => {
    fc.assert(
      fc.property(plain, (text) => {
        expect(isTyped(text)).toBe(typeof valueOf(text, "1.2") !== "string");
      }),
      tries(500),
    );
  });

  it("is true for an empty scalar, which is null", () => {
    expect(isTyped("")).toBe(true);
  });
});
