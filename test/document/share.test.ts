import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharing } from "../../src/document/share.ts";

const json = fc.jsonValue({ maxDepth: 4 });

/** The same value in other memory. */
function copied<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

describe("a value that shares the parts of another", () => {
  it("equals the value that it is made of, whatever the other one says", () => {
    fc.assert(
      fc.property(json, json, (value, like) => {
        const plain = copied(value);
        expect(sharing(plain, copied(like))).toStrictEqual(plain);
      }),
    );
  });

  it("is the other one where both are equal, in whatever order", () => {
    const like = { a: [1, { b: "x" }], c: {} };
    expect(sharing({ c: {}, a: [1, { b: "x" }] }, like)).toBe(like);
  });

  it("takes each equal part from the other one, and keeps what differs", () => {
    const like = { spec: { same: { deep: true }, list: [{ a: 1 }, { b: 2 }], text: "x" }, only: { there: 1 } };
    const value = { spec: { same: { deep: true }, list: [{ a: 1 }], text: "y", more: {} } };

    const shared = sharing(value, like);

    expect(shared).toStrictEqual(value);
    expect(shared.spec.same).toBe(like.spec.same);
    expect(shared.spec.list[0]).toBe(like.spec.list[0]);
  });

  it("changes neither of the two", () => {
    const [value, like] = [
      { a: { b: 1 }, c: 1 },
      { a: { b: 1 }, c: 2 },
    ];
    const before = copied([value, like]);
    sharing(value, like);
    expect([value, like]).toStrictEqual(before);
  });

  it("shares nothing between a list, a map and a text", () => {
    for (const [value, like] of [
      [[], {}],
      [{}, []],
      ["a", ["a"]],
      [{ a: null }, null],
    ])
      expect(sharing(value, like)).toBe(value);
  });
});
