import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { decideOn, gist, instant, type Merge } from "./timeline.ts";

const BOTH: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("a decrease by hand", () => {
  const DOWN = [BOTH, { at: 1, fast: "1.1.0" }, { at: 10, regular: "1.1.0" }, { at: 12, regular: "1.0.0" }];

  it("blocks the version, and says how to lift that", () => {
    const { kind, chosen } = decideOn(40, DOWN);

    expect([kind, chosen?.reasons[0]]).toEqual([
      "blocked",
      {
        topic: "withdrawal",
        outcome: "blocking",
        message: mentions("regular", "1.1.0", "1.0.0", "2026-01-13T00:00:00Z"),
        remedy: mentions("above 1.1.0", 'kyma-modules unhold istio@1.1.0 --channel regular --reason "…"'),
        source: { kind: "commit", commit: "c3" },
      },
    ]);
  });

  it.each<[fact: string, merges: readonly Merge[], expected: string]>([
    [
      "ends once the channel serves the version again",
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
      "is not lifted by a hold that only expires",
      [...DOWN, { at: 13, hold: { version: "1.1.0", until: instant(20) } }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted by the removal of an expired hold",
      [...DOWN, { at: 13, hold: { version: "1.1.0", until: instant(14) } }, { at: 15, unhold: "1.1.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted if a stronger hold replaces a hold",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0", channel: "regular", until: instant(30) } },
        { at: 14, unhold: "1.1.0", hold: { version: "1.1.0", until: instant(35) } },
      ],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is lifted if a weaker hold replaces a hold",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0" } },
        { at: 14, unhold: "1.1.0", hold: { version: "1.1.0", until: instant(20) } },
      ],
      "promote 1.1.0",
    ],
    [
      "is not lifted by the lift of an earlier one",
      [BOTH, { at: 0.5, hold: { version: "1.1.0", until: instant(0) } }, ...DOWN.slice(1)],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted by a hold of another version",
      [...DOWN, { at: 13, hold: { version: "1.2.0", until: instant(0) } }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted by a hold of an unrelated channel",
      [...DOWN, { at: 13, hold: { version: "1.1.0", channel: "slow", until: instant(0) } }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is lifted by the removal of a hold in the same merge",
      [
        ...DOWN.slice(0, 2),
        { at: 9, hold: { version: "1.1.0" } },
        ...DOWN.slice(2, 3),
        { at: 12, regular: "1.0.0", unhold: "1.1.0" },
      ],
      "promote 1.1.0",
    ],
    [
      "is not lifted with a hold that had expired when it was removed",
      [...DOWN, { at: 13, hold: { version: "1.1.0", until: instant(20) } }, { at: 20, unhold: "1.1.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is not lifted with a hold that a stronger one replaces",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0", channel: "fast", until: instant(30) } },
        { at: 20, unhold: "1.1.0", hold: { version: "1.1.0", until: instant(31) } },
      ],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is lifted with a hold that a weaker one replaces",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0", until: instant(30) } },
        { at: 20, unhold: "1.1.0", hold: { version: "1.1.0", until: instant(29) } },
      ],
      "promote 1.1.0",
    ],
    [
      "counts again after it was lifted",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0", until: instant(0) } },
        { at: 14, regular: "1.1.0" },
        { at: 15, regular: "1.0.0" },
      ],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "counts again after it was lifted, even if the version did not come back",
      [
        ...DOWN,
        { at: 13, hold: { version: "1.1.0", until: instant(0) } },
        { at: 14, regular: "1.0.1" },
        { at: 15, regular: "1.0.0" },
      ],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "stays in force after another one",
      [...DOWN, { at: 13, regular: "1.0.1" }, { at: 14, regular: "1.0.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is lifted together with another one",
      [
        ...DOWN,
        { at: 13, regular: "1.0.1" },
        { at: 14, regular: "1.0.0" },
        { at: 15, hold: { version: "1.1.0", until: instant(0) } },
      ],
      "promote 1.1.0",
    ],
    [
      "counts even if the channel served nothing in between",
      [...DOWN.slice(0, 3), { at: 11, regular: null }, { at: 12, regular: "1.0.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "holds only higher versions, not the one that the channel went down to",
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
      "holds all higher versions, not only the last one",
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
      "does not happen if a deleted file comes back with the same version",
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
      "is not lifted by an earlier merge of the same second",
      [...DOWN.slice(0, 3), { at: 12, hold: { version: "1.1.0", until: instant(0) } }, { at: 12, regular: "1.0.0" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
    [
      "is lifted by a later merge of the same second",
      [...DOWN, { at: 12, hold: { version: "1.1.0", until: instant(0) } }],
      "promote 1.1.0",
    ],
    ["allows later versions", [...DOWN, { at: 13, fast: "1.1.1" }], "promote 1.1.1"],
    [
      "of the followed channel holds the versions that it skipped since",
      [BOTH, { at: 1, fast: "1.1.0" }, { at: 10, fast: "1.0.0" }, { at: 11, fast: "1.2.0-rc1" }],
      "blocked 1.1.0 >40 (1 more)",
    ],
  ])("%s", (_, merges, expected) => {
    expect(gist(decideOn(40, merges))).toBe(expected);
  });
});
