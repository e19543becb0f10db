import { describe, expect, it } from "vitest";
import { blockedSince } from "../../../src/promote/dashboardIssue/rows.ts";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import { smoke } from "../verdict/evidenceSamples.ts";
import {
  day,
  hashOfVersion,
  historyOf,
  instant,
  ISTIO,
  type Merge,
  plainFacts,
  subjectOf,
  version,
} from "../verdict/timeline.ts";
import { MERGES } from "./rows.ts";

/** In days; `undefined` where it is not blocked. */
function since(at: number, more: readonly Merge[], evidence: readonly Evidence[] = []): number | undefined {
  const history = historyOf(...MERGES, ...more);
  const sinceMs = blockedSince(subjectOf(), plainFacts(history, day(at), { evidence }));
  return sinceMs === undefined ? undefined : (sinceMs - day(0)) / (day(1) - day(0));
}

const HOLD = { version: "1.2.0" };

describe("the start of a block", () => {
  it.each<[string, number, Merge[], number | undefined]>([
    ["undefined if nothing is blocked", 20, [], undefined],
    ["the merge of a hold", 20, [{ at: 12, hold: HOLD }], 12],
    [
      "that of the first of two",
      20,
      [
        { at: 12, hold: HOLD },
        { at: 15, hold: { ...HOLD, channel: "regular" } },
      ],
      12,
    ],
    [
      "the later one if the first was lifted in between",
      20,
      [
        { at: 12, hold: HOLD },
        { at: 13, unhold: "1.2.0" },
        { at: 15, hold: HOLD },
      ],
      15,
    ],
    [
      "the later one if the first expired in between",
      20,
      [
        { at: 12, hold: { ...HOLD, until: instant(13) } },
        { at: 15, hold: HOLD },
      ],
      15,
    ],
    [
      "a decrease by hand",
      25,
      [
        { at: 18, regular: "1.2.0" },
        { at: 19, regular: "1.1.0" },
      ],
      19,
    ],
    ["a hot-fix that a version does not have", 20, [{ at: 14, regular: "1.1.1", hotfix: { version: "1.1.1" } }], 14],
    [
      "not reset by another version that is blocked as well",
      20,
      [
        { at: 12, hold: HOLD },
        { at: 14, fast: "1.2.1", hold: { version: "1.2.1" } },
      ],
      12,
    ],
    ["nothing once a hold has ended", 20, [{ at: 12, hold: { ...HOLD, until: instant(15) } }], undefined],
  ])("is %s", (_, at, merges, expected) => {
    expect(since(at, merges)).toBe(expected);
  });

  it("is the observation that something is wrong", () => {
    const about = { module: ISTIO, version: version("1.2.0"), specHash: hashOfVersion("1.2.0") };
    const failed = smoke(false, { ...about, observedAt: instant(13) });

    expect(since(20, [], [failed])).toBe(13);
  });

  it("is unknown for a cause that is not in the history", () => {
    const proposed = {
      module: ISTIO,
      version: version("1.2.0"),
      channel: undefined,
      source: "hold/every-channel/istio-1.2.0",
    };
    const facts = plainFacts(historyOf(...MERGES), day(20), { proposedHolds: [proposed] });

    expect(blockedSince(subjectOf(), facts)).toBeUndefined();
  });
});
