import { describe, expect, it } from "vitest";
import type { PromotionFile } from "../../../src/catalogue/policy.ts";
import { explainChange, quartilesText } from "../../../src/promote/simulate/explain.ts";
import type { Gap } from "../../../src/promote/simulate/replayInput.ts";
import { quartilesOf } from "../../../src/promote/simulate/simulate.ts";
import { day, historyOf, SOAK, type Merge } from "../verdict/timeline.ts";
import { only, replayUntil, timelineWith } from "./replays.ts";

const BEGIN: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

/** The explanation of the last of these changes. */
const explain = async (
  merges: readonly Merge[],
  promotion: PromotionFile = { soak: SOAK },
  gaps: readonly Gap[] = [],
): Promise<string> => {
  const input = { ...timelineWith(historyOf(...merges)), gaps };
  const replay = only(await replayUntil(60, merges, { promotion }, { input }));
  const change = replay.changes.at(-1);
  if (change === undefined) throw new Error("nothing happened");
  return explainChange(change, replay);
};

describe("the explanation", () => {
  it.each<readonly [what: string, merges: readonly Merge[], text: string]>([
    ["a beginning", [BEGIN], "Nothing earlier is known."],
    ["a removal", [BEGIN, { at: 1, regular: null }], "regular served it no longer."],
    [
      "a promotion in time",
      [BEGIN, { at: 1, fast: "1.0.1" }, { at: 5, regular: "1.0.1" }],
      "It came 4d after fast. The policy allows it from 2026-01-03T00:00:00Z on, 3d before.",
    ],
    [
      "a promotion in the same second",
      [BEGIN, { at: 1, fast: "1.0.1" }, { at: 2, regular: "1.0.1" }],
      "It came 1d after fast. The policy allows it.",
    ],
    [
      "a promotion of soak 0",
      [BEGIN, { at: 1, fast: "1.0.1", regular: "1.0.1" }],
      "It came in one commit with fast. The policy allows it 1d later, at 2026-01-03T00:00:00Z: fast served 1.0.1 for 0s of 1d (soak of patch), until 2026-01-03T00:00:00Z.",
    ],
    [
      "a hot-fix that were not declared",
      [BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, regular: "1.0.1" }],
      "A hot-fix: fast, which served 1.1.0 then, never had 1.0.1, and it is a patch of 1.0.0, which regular served.",
    ],
    [
      "one after neither channel served anything",
      [BEGIN, { at: 1, fast: null, regular: null }, { at: 2, regular: "1.0.1" }],
      "A hot-fix: fast, which served nothing then, never had 1.0.1, and it is a patch of what regular had.",
    ],
    [
      "a hot-fix that was declared",
      [BEGIN, { at: 2, regular: "1.0.1", hotfix: { version: "1.0.1" } }],
      "A hot-fix that octocat declared: https://example.com/incident/7. fast served 1.0.0 then.",
    ],
    [
      "a version that was not seen before",
      [BEGIN, { at: 2, regular: "1.1.0" }],
      "Unknown: fast was not seen to serve it before, and it is not a hot-fix.",
    ],
    [
      "a downgrade",
      [BEGIN, { at: 1, fast: "1.1.0", regular: "1.1.0" }, { at: 2, regular: "1.0.0" }],
      "A downgrade: regular went from 1.1.0 back to 1.0.0 after 1d, while fast served 1.1.0; it never came back. Versions above 1.0.0 count as held from then on.",
    ],
    [
      "a withdrawal with a reason that lacks a full stop",
      [
        BEGIN,
        { at: 1, fast: "1.1.0", regular: "1.1.0" },
        { at: 2, regular: "1.0.0", hold: { version: "1.1.0", channel: "regular" } },
      ],
      "A withdrawal: regular went from 1.1.0 back to 1.0.0 after 1d, while fast served 1.1.0; it never came back. octocat holds the higher versions: it leaks.",
    ],
  ])("of %s", async (_, merges, text) => {
    expect(await explain(merges)).toBe(text);
  });

  it("tells when a downgrade was reverted", async () => {
    const replay = only(await replayUntil(60, [BEGIN, { at: 1, regular: "0.9.0" }, { at: 2, regular: "1.0.0" }]));
    const [, down] = replay.changes;

    expect(down && explainChange(down, replay)).toContain("it came back at 2026-01-03T00:00:00Z.");
  });

  it("tells why the policy would never have allowed a promotion, or not then", async () => {
    const windows = [{ opens: "0 0 10 * *", for: "2d", timeZone: "UTC" }];

    expect(
      await explain([BEGIN, { at: 1, fast: "1.0.1" }, { at: 15, regular: "1.0.1" }], { soak: SOAK, windows }),
    ).toBe(
      "It came 14d after fast. The policy allowed it 6d before, at 2026-01-10T00:00:00Z, but not then: No window of the channel is open: the next opening is 2026-02-10T00:00:00Z.",
    );
    expect(await explain([BEGIN, { at: 1, fast: "1.0.1" }, { at: 1.5, fast: "1.1.0", regular: "1.0.1" }])).toBe(
      "It came 12h after fast. The policy never allowed it: fast served 1.0.1 for 12h of 1d (soak of patch), and its clock is stopped.",
    );
  });

  it("tells that a change is dated to the end of a gap", async () => {
    const gaps = [{ startMs: day(-15), endMs: day(2), commit: "c1" }];

    expect(await explain([BEGIN, { at: 2, regular: "1.1.0" }], { soak: SOAK }, gaps)).toBe(
      "Unknown: snapshot gap. fast was not seen to serve it before. It is dated to the end of a gap of 17d, in which nothing was observed.",
    );
  });

  it("tells that the time of a promotion in a gap is unknown, for either channel", async () => {
    const merges = [BEGIN, { at: 2, fast: "1.0.1" }, { at: 20, regular: "1.0.1" }];
    const gap = (commit: string): readonly Gap[] => [{ startMs: day(0), endMs: day(20), commit }];

    expect(await explain(merges, { soak: SOAK }, gap("c2"))).toBe(
      "It came some time in a gap of 20d, in which nothing was observed: how long after fast is not known, so it does not count against the policy.",
    );
    expect(await explain(merges, { soak: SOAK }, gap("c1"))).toBe(
      "It came after fast, which got it some time in a gap of 20d, in which nothing was observed: how long after is not known, so it does not count against the policy.",
    );
  });

  it("names only the slowest of several clocks, and ends each reason with a full stop", async () => {
    const held: Merge = { at: 2, regular: "1.1.0", hold: { version: "1.1.0", channel: "regular" } };

    expect(await explain([BEGIN, { at: 1, fast: "1.1.0" }, { at: 1.5, regular: "1.1.0" }])).toBe(
      "It came 12h after fast. The policy allows it 6d 12h later, at 2026-01-09T00:00:00Z: fast served the line 1.1 for 12h of 7d (soak of minor), until 2026-01-09T00:00:00Z.",
    );
    expect(await explain([BEGIN, { at: 1, fast: "1.1.0" }, held])).toBe(
      "It came 1d after fast. The policy never allowed it: octocat holds 1.1.0 out of regular since 2026-01-03T00:00:00Z: it leaks. fast served the line 1.1 for 1d of 7d (soak of minor), and its clock is stopped.",
    );
  });
});

describe("quartiles", () => {
  it.each<readonly [readonly number[], readonly number[] | undefined]>([
    [[], undefined],
    [[7], [7, 7, 7]],
    [
      [4, 1, 3, 2],
      [1.75, 2.5, 3.25],
    ],
    [
      [10, 30, 20],
      [15, 20, 25],
    ],
  ])("of %j are %j", (values, quartiles) => {
    expect(quartilesOf(values)).toEqual(quartiles);
  });

  it("are shown as the median with the quartiles around it", () => {
    expect(quartilesText(undefined)).toBe("–");
    expect(quartilesText([1000, 60_000, 3_600_000])).toBe("1m (1s to 1h)");
  });
});
