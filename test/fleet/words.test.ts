import { describe, expect, it } from "vitest";
import { missingText } from "../../src/fleet/words.ts";

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
