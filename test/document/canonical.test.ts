import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, canonicalHash } from "../../src/document/canonical.ts";

const json = fc.jsonValue({ maxDepth: 4 });

/** The same value, with the members of each object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, member]) => [key, reversed(member)]));
}

/** The same value without the members that canonical JSON leaves out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? 0 : value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

describe("canonicalJson", () => {
  it("is JSON of the same value, except for members without a value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toStrictEqual(JSON.parse(JSON.stringify(withoutNulls(value))));
      }),
    );
  });

  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it("is equal only for equal values", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(withoutNulls(a), withoutNulls(b)));
      }),
    );
  });

  it("sorts keys by code unit and writes no white space", () => {
    expect(canonicalJson({ b: [1, { z: "ä", a: true }], B: "x y", "10": 1, "9": 2 })).toBe(
      '{"10":1,"9":2,"B":"x y","b":[1,{"a":true,"z":"ä"}]}',
    );
  });

  it("leaves out members without a value, and keeps null in a list", () => {
    expect(canonicalJson({ a: null, b: undefined, c: [null, undefined, 1] })).toBe('{"c":[null,null,1]}');
    expect(canonicalJson(null)).toBe("null");
  });
});

describe("hashOf", () => {
  it("is the SHA-256 of the canonical JSON", () => {
    expect(canonicalHash({ b: 1, a: null })).toBe(
      "sha256:eb8ed3ccb5023093b56f490a46501e88d09736687e609fdbc1c71b3df8b9ccd3",
    );
  });
});
