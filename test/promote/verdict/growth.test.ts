import { expect, it } from "vitest";
import { heldPeriods } from "../../../src/promote/verdict/holding.ts";
import { byLine } from "../../../src/promote/verdict/clocks.ts";
import { historyOf, subjectOf, version, type Merge } from "./timeline.ts";

it("holds a version once, however often its channel goes up and down", () => {
  const lives = [10, 100].map((times) =>
    Array.from({ length: times }, (_, index): readonly Merge[] => [
      { at: 2 * index, fast: "1.0.0" },
      { at: 2 * index + 1, fast: `1.${index + 1}.0` },
    ]).flat(),
  );
  const periods = lives.map((merges) => heldPeriods(subjectOf(), historyOf(...merges)).length);

  expect(periods).toEqual([9, 99]);
});

it("finds the versions of a clock without a scan of all", () => {
  let looks = 0;
  const values = ["1.0.0", "1.0.1", "1.1.0", "2.0.0"].map((text) => ({
    get version() {
      looks += 1;
      return version(text);
    },
  }));
  const find = byLine(values);
  const found = (level: Parameters<typeof find>[1]): readonly string[] =>
    find(version("1.0.1"), level).map((value) => value.version);

  expect([found("first"), found("patch")]).toEqual([["1.0.1"], ["1.0.1"]]);
  expect(found("minor")).toEqual(["1.0.0", "1.0.1"]);
  expect(found("major")).toEqual(["1.0.0", "1.0.1", "1.1.0"]);
  expect(find(version("3.0.0"), "major")).toEqual([]);
  const before = looks;
  expect(find(version("2.0.0"), "major")).toHaveLength(1);
  expect(looks).toBe(before);
});
