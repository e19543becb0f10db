import { describe, expect, it } from "vitest";
import { compareDefinitions } from "../../../src/kubernetes/crd/compare.ts";
import { CRDIFY_PAIRS, CRDIFY_WHOLE_PAIRS } from "./crdifyPairs.ts";
import { OWN_PAIRS } from "./ownPairs.ts";
import { definitionsOf } from "./pairs.ts";

describe("the comparison of two definitions", () => {
  it.each([...CRDIFY_PAIRS, ...OWN_PAIRS])("finds the differences: $name", (pair) => {
    expect(compareDefinitions(...definitionsOf(pair)).map(({ check }) => check)).toEqual(pair.gives);
  });

  it.each(CRDIFY_WHOLE_PAIRS)("finds the differences of the whole: $name", (pair) => {
    const changes = compareDefinitions(pair.old("example.org"), pair.new("example.org"));
    expect(changes.map(({ check }) => check)).toEqual(pair.gives);
  });

  it("reports items that may be equal again as safe", () => {
    const [repeated, unique] = CRDIFY_WHOLE_PAIRS.filter(({ name }) => name === "unique-items").flatMap((pair) => [
      pair.old("example.org"),
      pair.new("example.org"),
    ]);
    expect(compareDefinitions(unique, repeated)).toMatchObject([{ check: "unique-items-removed", class: "safe" }]);
  });
});
