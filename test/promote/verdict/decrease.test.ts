import { describe, expect, it } from "vitest";
import { decideOn, gist, instant, type Merge } from "./timeline.ts";

const BOTH: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("a decrease by hand", () => {
  const DOWN = [BOTH, { at: 1, fast: "1.1.0" }, { at: 10, regular: "1.1.0" }, { at: 12, regular: "1.0.0" }];

  it("is not promoted again, and says how that can be changed", () => {
    const { kind, chosen } = decideOn(40, DOWN);

    expect([kind, chosen?.reasons[0]]).toEqual([
      "blocked",
      {
        topic: "withdrawal",
        outcome: "blocking",
        message: "regular went down from 1.1.0 to 1.0.0 at 2026-01-13T00:00:00Z: what it served above counts as held.",
        remedy:
          'Release a version above 1.1.0, or lift it: kyma-modules unhold istio@1.1.0 --channel regular --reason "…"',
        source: { kind: "commit", commit: "c3" },
      },
    ]);
  });

  it.each<[fact: string, merges: readonly Merge[], expected: string]>([
    [
      "is over once the channel serves the version again",
      [...DOWN, { at: 13, regular: "1.1.0" }, { at: 14, regular: null }],
      "promote 1.1.0",
    ],
    [
      "is lifted by a hold that ends when it begins",
      [...DOWN, { at: 13, hold: { version: "1.1.0", until: instant(0) } }],
      "promote 1.1.0",
    ],
    [
      "is lifted with the hold of a withdrawal",
      [...DOWN, { at: 12.5, hold: { version: "1.1.0" } }, { at: 20, unhold: "1.1.0" }],
      "promote 1.1.0",
    ],
    [
      "is not lifted by a hold that merely runs out",
      [...DOWN, { at: 13, hold: { version: "1.1.0", until: instant(20) } }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted by a hold that goes after it ran out",
      [...DOWN, { at: 13, hold: { version: "1.1.0", until: instant(14) } }, { at: 15, unhold: "1.1.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted where a stronger hold takes the place of a hold",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0", channel: "regular", until: instant(30) } },
        { at: 14, unhold: "1.1.0", hold: { version: "1.1.0", until: instant(35) } },
      ],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is lifted where a weaker hold takes the place of a hold",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0" } },
        { at: 14, unhold: "1.1.0", hold: { version: "1.1.0", until: instant(20) } },
      ],
      "promote 1.1.0",
    ],
    [
      "is not lifted by what lifted an earlier one",
      [BOTH, { at: 0.5, hold: { version: "1.1.0", until: instant(0) } }, ...DOWN.slice(1)],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted by a hold of another version",
      [...DOWN, { at: 13, hold: { version: "1.2.0", until: instant(0) } }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted by a hold of a channel that has nothing to do with it",
      [...DOWN, { at: 13, hold: { version: "1.1.0", channel: "slow", until: instant(0) } }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is lifted by a hold that goes with it",
      [
        ...DOWN.slice(0, 2),
        { at: 9, hold: { version: "1.1.0" } },
        ...DOWN.slice(2, 3),
        { at: 12, regular: "1.0.0", unhold: "1.1.0" },
      ],
      "promote 1.1.0",
    ],
    [
      "is not lifted with a hold that had run out when it went",
      [...DOWN, { at: 13, hold: { version: "1.1.0", until: instant(20) } }, { at: 20, unhold: "1.1.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted with a hold whose place a stronger one takes",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0", channel: "fast", until: instant(30) } },
        { at: 20, unhold: "1.1.0", hold: { version: "1.1.0", until: instant(31) } },
      ],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is lifted with a hold whose place a weaker one takes",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0", until: instant(30) } },
        { at: 20, unhold: "1.1.0", hold: { version: "1.1.0", until: instant(29) } },
      ],
      "promote 1.1.0",
    ],
    [
      "is one again after it was lifted",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0", until: instant(0) } },
        { at: 14, regular: "1.1.0" },
        { at: 15, regular: "1.0.0" },
      ],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is one again after it was lifted, also where the version did not come back",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0", until: instant(0) } },
        { at: 14, regular: "1.0.1" },
        { at: 15, regular: "1.0.0" },
      ],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "upon another one stands",
      [...DOWN, { at: 13, regular: "1.0.1" }, { at: 14, regular: "1.0.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "upon another one is lifted with it",
      [
        ...DOWN,
        { at: 13, regular: "1.0.1" },
        { at: 14, regular: "1.0.0" },
        { at: 15, hold: { version: "1.1.0", until: instant(0) } },
      ],
      "promote 1.1.0",
    ],
    [
      "is one, too, where the channel served nothing in between",
      [...DOWN.slice(0, 3), { at: 11, regular: null }, { at: 12, regular: "1.0.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "keeps only what is above, and not what the channel went down to",
      [
        BOTH,
        { at: 1, fast: "1.1.0" },
        { at: 10, fast: "1.2.0" },
        { at: 11, fast: "1.1.0" },
        { at: 12, fast: "1.3.0-rc1" },
      ],
      "promote 1.1.0",
    ],
    [
      "keeps everything that is above, not only what was served last",
      [
        BOTH,
        { at: 1, fast: "1.1.0" },
        { at: 10, fast: "1.2.0" },
        { at: 19, fast: "1.0.0" },
        { at: 20, fast: "1.3.0-rc1" },
      ],
      "blocked 1.2.0 >40 (1 more)",
    ],
    [
      "is none where a deleted file comes back with the same version",
      [BOTH, { at: 1, fast: "1.1.0" }, { at: 10, fast: null }, { at: 11, fast: "1.1.0" }],
      "promote 1.1.0",
    ],
    [
      "is not lifted with a hold that keeps the version out of another channel only",
      [...DOWN, { at: 13, hold: { version: "1.1.0", channel: "fast" } }, { at: 14, unhold: "1.1.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted by an entry for another channel",
      [...DOWN, { at: 13, hold: { version: "1.1.0", channel: "fast", until: instant(0) } }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is lifted by an entry for its own channel",
      [...DOWN, { at: 13, hold: { version: "1.1.0", channel: "regular", until: instant(0) } }],
      "promote 1.1.0",
    ],
    [
      "is not lifted by what was merged before it in the same second",
      [...DOWN.slice(0, 3), { at: 12, hold: { version: "1.1.0", until: instant(0) } }, { at: 12, regular: "1.0.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is lifted by what was merged after it in the same second",
      [...DOWN, { at: 12, hold: { version: "1.1.0", until: instant(0) } }],
      "promote 1.1.0",
    ],
    ["lets later versions pass", [...DOWN, { at: 13, fast: "1.1.1" }], "promote 1.1.1"],
    [
      "of the followed channel keeps what it skipped since",
      [BOTH, { at: 1, fast: "1.1.0" }, { at: 10, fast: "1.0.0" }, { at: 11, fast: "1.2.0-rc1" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
  ])("%s", (_, merges, expected) => {
    expect(gist(decideOn(40, merges))).toBe(expected);
  });
});
