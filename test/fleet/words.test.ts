import { describe, expect, it } from "vitest";
import type { Missing } from "../../src/fleet/condition.ts";
import { worstMissing } from "../../src/fleet/rollout.ts";
import { MISSING_WORDS, missingText, readyText, reasonText } from "../../src/fleet/words.ts";
import { mentions } from "../support/mentions.ts";

describe("the most severe reason why clusters do not have a version", () => {
  const worst = (...why: readonly Missing[]) => worstMissing(why.map((one) => ({ why: one, isFailing: false })));

  it("is one that needs a repair rather than one that passes by itself", () => {
    expect([worst("maintenance", "error", "processing"), worst("skipped", "downgrade"), worst()]).toEqual([
      ...["error", "downgrade", undefined],
    ]);
  });

  it("is that of a failure, where any is", () => {
    const groups = [
      { why: "error", isFailing: false },
      { why: "overdue", isFailing: true },
    ] as const;

    expect(worstMissing(groups)).toBe("overdue");
  });

  it("is found for every reason", () => {
    const all = Object.keys(MISSING_WORDS) as Missing[];

    expect(all.map((why) => worst(why))).toEqual(all);
  });
});

describe("the text for clusters that do not have a version", () => {
  it.each([
    ["maintenance", ["maintenance window", "1.0.0"]],
    ["downgrade", ["downgrade refused", "channel skew", "1.0.0"]],
    ["error", ["Error", "1.0.0"]],
    ["warning", ["Warning", "1.0.0"]],
    ["behind", ["not upgraded", "Ready", "1.0.0"]],
    ["ahead", ["higher", "1.0.0"]],
    ["forgotten", ["lost", "1.0.0"]],
    ["overdue", ["Processing", "deadline"]],
    ["unmanaged", ["unmanaged"]],
    ["deleting", ["deleted"]],
    ["skipped", ["skip-reconciliation"]],
    ["processing", ["Processing"]],
    ["changing", ["changed", "10 s"]],
    ["unsaid", ["state unknown"]],
  ] as const)("is for %s: %j", (why, parts) => {
    expect(missingText({ why, version: "1.0.0", mayFail: false })).toEqual(mentions(...parts));
  });

  it("mentions that a cluster names no version", () => {
    expect(missingText({ why: "error", version: undefined, mayFail: false })).toBe("Error with no version");
  });

  it("mentions that a failure may be of an earlier version", () => {
    expect(missingText({ why: "error", version: "1.0.0", mayFail: true })).toEqual(
      mentions("Error", "maybe", "earlier"),
    );
  });

  it("ends with the message of lifecycle-manager, if there is one", () => {
    const group = { why: "error", version: "1.0.0", mayFail: false } as const;

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
