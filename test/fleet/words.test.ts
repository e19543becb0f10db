import { describe, expect, it } from "vitest";
import type { Missing } from "../../src/fleet/rollout.ts";
import { worstOf } from "../../src/fleet/rollout.ts";
import { MISSING_WORDS, missingText, readyText, reasonText } from "../../src/fleet/words.ts";

describe("the most severe reason why clusters do not have a version", () => {
  const worst = (...why: readonly Missing[]) => worstOf(why.map((one) => ({ why: one })));

  it("is one that needs a repair rather than one that passes by itself", () => {
    expect([worst("maintenance", "error", "processing"), worst("skipped", "downgrade"), worst()]).toEqual([
      ...["error", "downgrade", undefined],
    ]);
  });

  it("is found for every reason", () => {
    const all = Object.keys(MISSING_WORDS) as Missing[];

    expect(all.map((why) => worst(why))).toEqual(all);
  });
});

describe("the text for clusters that do not have a version", () => {
  it.each([
    ["maintenance", "waiting for a maintenance window, with 1.0.0"],
    ["downgrade", "downgrade refused (channel skew), with 1.0.0"],
    ["error", "Error with 1.0.0"],
    ["warning", "Warning with 1.0.0"],
    ["behind", "not upgraded yet, Ready with 1.0.0"],
    ["ahead", "Ready with the higher version 1.0.0"],
    ["unmanaged", "unmanaged"],
    ["deleting", "being deleted"],
    ["skipped", "skipped by the label skip-reconciliation"],
    ["processing", "Processing"],
    ["changing", "changed less than 10 s ago"],
    ["unsaid", "state unknown"],
  ] as const)("is for %s: %s", (why, text) => {
    expect(missingText({ why, version: "1.0.0" })).toBe(text);
  });

  it("mentions that a cluster names no version", () => {
    expect(missingText({ why: "error", version: undefined })).toBe("Error with no version");
  });

  it("ends with the message of lifecycle-manager, if there is one", () => {
    const group = { why: "error", version: "1.0.0" } as const;

    expect(reasonText({ ...group, cause: "no CRD" })).toBe("Error with 1.0.0: no CRD");
    expect(reasonText({ ...group, cause: undefined })).toBe("Error with 1.0.0");
  });
});

describe("the text for the times within which clusters were Ready", () => {
  it("rounds up to seconds, and names the longest time that is counted", () => {
    expect(readyText({ curve: [], clusters: 3, p50Ms: 61_001, p90Ms: 3_600_000, p99Ms: Infinity })).toBe(
      "half within 1m 2s, 90% within 1h, 99% later than 15d (of 3 clusters)",
    );
  });
});
