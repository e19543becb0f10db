import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textFor } from "../../../src/kubernetes/crd/pattern.ts";

const PATTERNS = [
  "^[a-z]([-a-z0-9]*[a-z0-9])?$",
  "^[a-z0-9]+(\\.[a-z0-9]+)*$",
  "^(fast|regular|experimental)$",
  "^$|^[a-z]{3,}$",
  "^(?P<major>0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(0|[1-9]\\d*)$",
  "^x{12}y{10,}z{2,11}$",
  "^\\d{3}-\\w{2,4}\\s?\\S$",
  "[^a-z]+",
  "^[^/\\s]*/.+?$",
  "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",
  "\\Ax{2}\\z",
  "^[\\w.-]*[\\]\\-]\\D\\W\\.$",
  "a||b",
  "^[a-]$",
  "()",
];

describe("a text generated for a regular expression", () => {
  it.each(PATTERNS)("is matched by %s, in every choice and length", (pattern) => {
    const expression = new RegExp(pattern.replaceAll("\\A", "^").replaceAll("\\z", "$").replaceAll("(?P<", "(?<"), "u");
    fc.assert(
      fc.property(fc.nat(12), fc.nat(60), (choice, length) => {
        expect(textFor(pattern, length, choice)).toMatch(expression);
      }),
    );
  });

  it("has the requested length, if the expression allows it", () => {
    expect(textFor("^[a-z]([-a-z0-9]*[a-z0-9])?$", 63, 0)).toHaveLength(63);
    expect(textFor("^[a-z]{1,5}$", 63, 0)).toBe("azbyc");
    expect(textFor("^(\\d\\.\\d\\.\\d)?$", 3, 0)).toBe("0.0.0");
    expect(textFor("^x{100000}$", 0, 0)?.length).toBeLessThanOrEqual(10_000);
  });

  it.each(["\\bword", "[[:alpha:]]+", "\\p{L}", "(?i)a", "(?=a)", "(a)\\1", "a".repeat(3000)])(
    "is not tried for %s",
    (pattern) => {
      expect(textFor(pattern, 0, 0)).toBeUndefined();
    },
  );

  it("is generated fast for an expression that hangs JavaScript's engine", () => {
    expect(textFor("^(([a-z])+.)+[A-Z]([a-z])+$", 40, 0)?.length).toBeGreaterThanOrEqual(40);
  });

  it("is generated fast for nested repetitions of nothing, or of very much", () => {
    expect(textFor("((){1000}){1000}", 0, 0)).toBe("");
    expect(textFor("((((((a{1000}){1000}){1000}){1000}){1000}){1000})", 0, 0)).toMatch(/^a+$/);
    expect(textFor(`${"(".repeat(100)}a${")+".repeat(100)}`, 1000, 0)).toMatch(/^a{1000}$/);
    expect(textFor(`${"(".repeat(101)}a${")+".repeat(101)}`, 1000, 0)).toBeUndefined();
  });

  it("is also generated for an invalid expression, for a validator to refuse", () => {
    for (const odd of ["", "*a", ")", "a)b", "(", "[", "{2}", "\\", "[]"])
      expect(textFor(odd, 0, 0)).toBeTypeOf("string");
  });
});
