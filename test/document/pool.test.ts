import { describe, expect, it } from "vitest";
import { pool } from "../../src/document/pool.ts";

describe("a pool of texts", () => {
  it("derives the value of a text once", () => {
    const listOf = pool((text) => [text]);
    expect(listOf("fast")).toBe(listOf("fast"));
    expect(listOf("fast")).toEqual(["fast"]);
    expect(listOf("regular")).toEqual(["regular"]);
  });

  it("forgets its texts rather than grow without end, and goes on", () => {
    const listOf = pool((text) => [text]);
    const first = listOf("0");
    for (let at = 1; at <= 10_000; at++) listOf(String(at));
    expect(listOf("0")).toEqual(first);
    expect(listOf("0")).not.toBe(first);
  });
});
