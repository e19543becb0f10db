import { describe, expect, it } from "vitest";
import type { Missing } from "../../src/fleet/rollout.ts";
import { worstOf } from "../../src/fleet/rollout.ts";
import { MISSING_WORDS, missingText } from "../../src/fleet/words.ts";

describe("the worst that keeps clusters from a version", () => {
  const worst = (...why: readonly Missing[]) => worstOf(why.map((one) => ({ why: one })));

  it("is what somebody has to mend before what passes by itself", () => {
    expect([worst("maintenance", "error", "processing"), worst("skipped", "downgrade"), worst()]).toEqual([
      ...["error", "downgrade", undefined],
    ]);
  });

  it("is one of all that there is, whatever that is", () => {
    const all = Object.keys(MISSING_WORDS) as Missing[];

    expect(all.map((why) => worst(why))).toEqual(all);
  });
});

describe("the words for clusters that do not have a version", () => {
  it.each([
    ["maintenance", "waiting for a maintenance window, with 1.0.0"],
    ["downgrade", "downgrade refused (channel skew), with 1.0.0"],
    ["error", "Error with 1.0.0"],
    ["warning", "Warning with 1.0.0"],
    ["behind", "not asked yet, Ready with 1.0.0"],
    ["ahead", "Ready with 1.0.0, which is higher"],
    ["unmanaged", "unmanaged"],
    ["deleting", "being deleted"],
    ["skipped", "left out by the label skip-reconciliation"],
    ["processing", "Processing"],
    ["changing", "changed less than 10 s ago"],
    ["unsaid", "nothing is said of a state"],
  ] as const)("say of %s: %s", (why, text) => {
    expect(missingText({ why, version: "1.0.0" })).toBe(text);
  });

  it("say so where a cluster names no version", () => {
    expect(missingText({ why: "error", version: undefined })).toBe("Error with no version");
  });
});
