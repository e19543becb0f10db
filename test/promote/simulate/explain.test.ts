import { describe, expect, it } from "vitest";
import type { PromotionFile } from "../../../src/catalogue/policy.ts";
import { explainChange, quartilesText } from "../../../src/promote/simulate/explain.ts";
import type { Gap } from "../../../src/promote/simulate/replayInput.ts";
import { valueQuartiles } from "../../../src/promote/simulate/simulate.ts";
import { day, historyOf, SOAK, type Merge } from "../verdict/timeline.ts";
import { mentions } from "../../support/mentions.ts";
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
  it.each<readonly [what: string, merges: readonly Merge[], text: unknown]>([
    ["a beginning", [BEGIN], mentions("Nothing earlier")],
    ["a removal", [BEGIN, { at: 1, regular: null }], mentions("regular", "no longer")],
    [
      "a promotion in time",
      [BEGIN, { at: 1, fast: "1.0.1" }, { at: 5, regular: "1.0.1" }],
      mentions("4d after fast", "2026-01-03T00:00:00Z", "3d before"),
    ],
    [
      "a promotion in the same second",
      [BEGIN, { at: 1, fast: "1.0.1" }, { at: 2, regular: "1.0.1" }],
      expect.stringMatching(/^[^:]*\b1d after fast[^:]*\ballows\b[^:]*$/),
    ],
    [
      "a promotion of soak 0",
      [BEGIN, { at: 1, fast: "1.0.1", regular: "1.0.1" }],
      mentions(
        ...["one commit", "fast", "1d later", "2026-01-03T00:00:00Z"],
        ...["fast", "1.0.1", "0s of 1d", "soak of patch", "2026-01-03T00:00:00Z"],
      ),
    ],
    [
      "a hot-fix that were not declared",
      [BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, regular: "1.0.1" }],
      mentions("hot-fix", ...["fast", "1.1.0", "never", "1.0.1"], ...["patch", "1.0.0", "regular"]),
    ],
    [
      "one after neither channel served anything",
      [BEGIN, { at: 1, fast: null, regular: null }, { at: 2, regular: "1.0.1" }],
      mentions("hot-fix", ...["fast", "nothing", "never", "1.0.1"], "regular"),
    ],
    [
      "a hot-fix that was declared",
      [BEGIN, { at: 2, regular: "1.0.1", hotfix: { version: "1.0.1" } }],
      mentions("hot-fix", "octocat", "https://example.com/incident/7", "fast", "1.0.0"),
    ],
    [
      "a version that was not seen before",
      [BEGIN, { at: 2, regular: "1.1.0" }],
      mentions("Unknown", "fast", "not", "hot-fix"),
    ],
    [
      "a downgrade",
      [BEGIN, { at: 1, fast: "1.1.0", regular: "1.1.0" }, { at: 2, regular: "1.0.0" }],
      mentions("downgrade", "regular", ...["1.1.0", "1.0.0", "1d"], ...["fast", "1.1.0"], "never", "above 1.0.0"),
    ],
    [
      "a withdrawal with a reason that lacks a full stop",
      [
        BEGIN,
        { at: 1, fast: "1.1.0", regular: "1.1.0" },
        { at: 2, regular: "1.0.0", hold: { version: "1.1.0", channel: "regular" } },
      ],
      mentions("withdrawal", "regular", ...["1.1.0", "1.0.0", "1d"], ...["fast", "1.1.0"], "octocat", "it leaks."),
    ],
  ])("of %s", async (_, merges, text) => {
    expect(await explain(merges)).toEqual(text);
  });

  it("tells when a downgrade was reverted", async () => {
    const replay = only(await replayUntil(60, [BEGIN, { at: 1, regular: "0.9.0" }, { at: 2, regular: "1.0.0" }]));
    const [, down] = replay.changes;

    expect(down && explainChange(down, replay)).toMatch(/came back \w+ 2026-01-03T00:00:00Z/);
  });

  it("tells why the policy would never have allowed a promotion, or not then", async () => {
    const windows = [{ opens: "0 0 10 * *", for: "2d", timeZone: "UTC" }];

    expect(
      await explain([BEGIN, { at: 1, fast: "1.0.1" }, { at: 15, regular: "1.0.1" }], { soak: SOAK, windows }),
    ).toEqual(mentions("14d after fast", "6d before", "2026-01-10T00:00:00Z", "not then", "2026-02-10T00:00:00Z"));
    expect(await explain([BEGIN, { at: 1, fast: "1.0.1" }, { at: 1.5, fast: "1.1.0", regular: "1.0.1" }])).toEqual(
      mentions("12h after fast", "never", "fast", "1.0.1", "12h of 1d", "soak of patch", "stopped"),
    );
  });

  it("tells that a change is dated to the end of a gap", async () => {
    const gaps = [{ startMs: day(-15), endMs: day(2), commit: "c1" }];

    expect(await explain([BEGIN, { at: 2, regular: "1.1.0" }], { soak: SOAK }, gaps)).toEqual(
      mentions("Unknown", "snapshot gap", "fast", "gap of 17d"),
    );
  });

  it("tells that the time of a promotion in a gap is unknown, for either channel", async () => {
    const merges = [BEGIN, { at: 2, fast: "1.0.1" }, { at: 20, regular: "1.0.1" }];
    const gap = (commit: string): readonly Gap[] => [{ startMs: day(0), endMs: day(20), commit }];

    expect(await explain(merges, { soak: SOAK }, gap("c2"))).toEqual(mentions("gap of 20d", "fast", "not count"));
    expect(await explain(merges, { soak: SOAK }, gap("c1"))).toEqual(mentions("fast", "gap of 20d", "not count"));
  });

  it("names only the slowest of several clocks, and ends each reason with a full stop", async () => {
    const held: Merge = { at: 2, regular: "1.1.0", hold: { version: "1.1.0", channel: "regular" } };

    const early = await explain([BEGIN, { at: 1, fast: "1.1.0" }, { at: 1.5, regular: "1.1.0" }]);
    expect(early).toEqual(
      mentions(
        ...["12h after fast", "6d 12h later", "2026-01-09T00:00:00Z"],
        ...["fast", "line 1.1", "12h of 7d", "soak of minor", "2026-01-09T00:00:00Z"],
      ),
    );
    expect(early).not.toContain("soak of patch");
    expect(await explain([BEGIN, { at: 1, fast: "1.1.0" }, held])).toEqual(
      mentions(
        ...["1d after fast", "never", "octocat", "1.1.0", "regular", "2026-01-03T00:00:00Z", "it leaks."],
        ...["fast", "line 1.1", "1d of 7d", "soak of minor", "stopped"],
      ),
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
    expect(valueQuartiles(values)).toEqual(quartiles);
  });

  it("are shown as the median with the quartiles around it", () => {
    expect(quartilesText(undefined)).toBe("–");
    expect(quartilesText([1000, 60_000, 3_600_000])).toBe("1m (1s to 1h)");
  });
});
