import { describe, expect, it } from "vitest";
import { gistOf, timelineAfter, type Said } from "./timelines.ts";

const BEGIN: Said = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("an entry that ends when it begins", () => {
  const until = "2026-01-01T00:00:00Z";

  it("is an unhold event, with person and reason", () => {
    const down: readonly Said[] = [BEGIN, { at: 1, regular: "1.1.0" }, { at: 2, regular: "1.0.0" }];
    const [lifted] = timelineAfter([...down, { at: 3, hold: { version: "1.1.0", until } }]);

    expect(lifted).toMatchObject({ kind: "unhold", version: "1.1.0", until: undefined, by: "octocat" });
  });

  it("is not repeated when it is removed", () => {
    const timeline = timelineAfter([BEGIN, { at: 1, hold: { version: "1.1.0", until } }, { at: 2, unhold: "1.1.0" }]);

    expect(timeline.map(gistOf).slice(0, 2)).toEqual(["all 1.1.0 unhold", "fast –→1.0.0 import"]);
  });
});
