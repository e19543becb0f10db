import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { day, DAY_MS, decideOn, gist, instant, SOAK, type Merge, type World } from "./timeline.ts";

const BOTH: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("soak", () => {
  it.each<[fact: string, at: number, merges: readonly Merge[], expected: string]>([
    ["runs while the followed channel serves the version", 3, [BOTH, { at: 1, fast: "1.1.0" }], "wait 1.1.0 @8"],
    ["ends exactly on time", 8, [BOTH, { at: 1, fast: "1.1.0" }], "promote 1.1.0"],
    [
      "of a line continues with its next patch",
      9,
      [BOTH, { at: 1, fast: "1.1.0" }, { at: 5, fast: "1.1.1" }],
      "promote 1.1.1",
    ],
    [
      "of a patch counts separately in an old line",
      5.5,
      [BOTH, { at: 1, fast: "1.0.1" }, { at: 5, fast: "1.0.2" }],
      "promote 1.0.1",
    ],
    [
      "is complete after exactly its length, at the end of the service",
      2.5,
      [BOTH, { at: 1, fast: "1.0.1" }, { at: 2, fast: "1.0.2" }],
      "promote 1.0.1",
    ],
    [
      "of five minutes stays five minutes",
      100,
      [BOTH, { at: 1, fast: "1.1.0" }, { at: 1.003, fast: "1.2.0" }, { at: 2, fast: "1.2.1" }],
      "promote 1.2.1",
    ],
    [
      "of a major step needs the clocks of all levels",
      25,
      [BOTH, { at: 1, fast: "2.0.0" }, { at: 20, fast: "2.1.0" }],
      "wait 2.1.0 @31",
    ],
    [
      "is added up when the version comes back",
      12,
      [BOTH, { at: 1, fast: "1.1.0" }, { at: 4, fast: "1.0.0" }, { at: 6, fast: "1.1.0" }],
      "promote 1.1.0",
    ],
  ])("%s", (_, at, merges, expected) => {
    expect(gist(decideOn(at, merges))).toBe(expected);
  });

  it("blocks if it can no longer be earned, with a remedy", () => {
    const { chosen, kind } = decideOn(50, [BOTH, { at: 1, fast: "1.1.0" }, { at: 1.003, fast: "1.1.1-rc1" }]);

    expect([kind, chosen?.version, chosen?.earliest?.kind]).toEqual(["blocked", "1.1.0", "not-before"]);
    expect(chosen?.reasons).toMatchObject([
      {
        topic: "soak",
        outcome: "blocking",
        message: mentions("fast", "1.1.0", "4m 19s of 1d", "soak of patch", "stopped"),
        source: { kind: "file", file: "channels/regular.yaml", line: 1 },
      },
      { topic: "soak", outcome: "blocking" },
    ]);
  });

  it("tells what makes a stopped clock run again, unless the version's own hold does", () => {
    const remedies = (...merges: readonly Merge[]): readonly unknown[] =>
      (decideOn(6, [BOTH, { at: 1, fast: "1.1.0" }, ...merges]).candidates.at(-1)?.reasons ?? [])
        .filter(({ topic, outcome }) => topic === "soak" && outcome === "blocking")
        .map(({ message, remedy }) => [/\((.*)\)/.exec(message)?.[1], remedy]);

    expect(remedies({ at: 1.5, hold: { version: "1.1.0" } })).toEqual([
      ["soak of patch", undefined],
      ["soak of minor", undefined],
    ]);
    expect(remedies({ at: 1.5, fast: "1.1.1" }, { at: 2, hold: { version: "1.1.1" } })).toEqual([
      ["soak of patch", mentions("1.1.0", "fast", "1.1.0", "held", "newer version")],
      ["soak of minor", mentions("line 1.1", "1.1.1", "held", "newer version")],
    ]);
  });

  it("counts a period that runs backwards as zero", () => {
    const merges = [BOTH, { at: 9, fast: "1.1.0" }, { at: 5, fast: "1.1.1" }];

    expect(gist(decideOn(9, merges))).toBe("wait 1.1.1 @12");
  });

  it("begins with the return of a version after such a period", () => {
    const merges = [BOTH, { at: 9, fast: "1.1.0" }, { at: 5, fast: "1.0.5" }, { at: 6, fast: "1.1.0" }];

    expect(decideOn(9, merges).candidates[0]).toMatchObject({ version: "1.1.0", earliest: { atMs: day(13) } });
  });

  it("of a line counts only versions that the following channel accepts", () => {
    const merges = [BOTH, { at: 1, fast: "1.1.0-rc1" }, { at: 5, fast: "1.1.0" }];

    expect(gist(decideOn(6, merges))).toBe("wait 1.1.0 @12");
    expect(gist(decideOn(6, merges, { versions: "any" }))).toBe("wait 1.1.0 @8");
  });

  it("of a line stops while the served version is held", () => {
    const merges = [
      BOTH,
      { at: 1, fast: "1.1.0" },
      { at: 2, hold: { version: "1.1.0" } },
      { at: 4, fast: "1.1.1" },
      { at: 5, unhold: "1.1.0" },
    ];

    expect(gist(decideOn(6, merges))).toBe("wait 1.1.1 @10");
  });

  it("is not affected by a hold that ended before it was merged", () => {
    const merges = [BOTH, { at: 1, fast: "1.1.0" }, { at: 5, hold: { version: "1.1.0", until: instant(2) } }];

    expect(gist(decideOn(6, merges))).toBe("wait 1.1.0 @8");
  });

  it("stops once during overlapping holds", () => {
    const hold = (at: number, channel: string, until: number): Merge => ({
      at,
      hold: { version: "1.1.0", channel, until: instant(until) },
    });
    const merges = [BOTH, { at: 1, fast: "1.1.0" }, hold(2, "fast", 4), hold(3, "regular", 5)];

    expect(gist(decideOn(6, merges))).toBe("wait 1.1.0 @11");
  });

  it("is not needed without a demand", () => {
    expect(decideOn(1, [BOTH, { at: 1, fast: "1.1.0" }], { promotion: {} })).toMatchObject({
      kind: "promote",
      chosen: { reasons: [] },
    });
  });

  it("is as long as the module demands, if the channel demands less", () => {
    const world: World = { override: { soak: { minor: "14d", patch: "1h" } } };

    expect(gist(decideOn(9, [BOTH, { at: 1, fast: "1.1.0" }], world))).toBe("wait 1.1.0 @15");
  });

  it("of a new module counts only for the version itself", () => {
    const world: World = { promotion: { soak: { ...SOAK, first: "2d" } } };
    const { chosen } = decideOn(
      4,
      [
        { at: 0, fast: "1.0.0" },
        { at: 3, fast: "1.0.1" },
      ],
      world,
    );

    expect(chosen?.version).toBe("1.0.0");
    expect(chosen?.reasons.map(({ message }) => message)).toEqual(["fast served 1.0.0 for 3d of 2d (soak of first)."]);
  });
});

describe("the reasons of a soak", () => {
  const POLICY = `format: 1
follows: fast
landscapes: [dev]
promotion:
  soak:
    patch: 1d
    minor: 7d
    major: 30d
`;
  const reasonsOn = (at: number, merges: readonly Merge[], policy = POLICY): readonly string[] => {
    const world: World = { files: { "channels/regular.yaml": policy } };
    return (decideOn(at, merges, world).chosen?.reasons ?? []).map(({ outcome, message, metAtMs, source }) => {
      const place = source?.kind === "file" ? `${source.file}:${String(source.line)}` : "nowhere";
      return `${place} ${outcome}${metAtMs === undefined ? "" : ` @${String((metAtMs - day(0)) / DAY_MS)}`}: ${message}`;
    });
  };

  it("tell for each level its clock, its end, and the line of the demand", () => {
    expect(reasonsOn(3.5, [BOTH, { at: 1, fast: "2.0.0" }])).toEqual([
      "channels/regular.yaml:6 met @2: fast served 2.0.0 for 2d 12h of 1d (soak of patch).",
      "channels/regular.yaml:7 waiting @8: fast served the line 2.0 for 2d 12h of 7d (soak of minor), until 2026-01-09T00:00:00Z.",
      "channels/regular.yaml:8 waiting @31: fast served the line 2 for 2d 12h of 30d (soak of major), until 2026-02-01T00:00:00Z.",
    ]);
  });

  it("name only the levels of the step", () => {
    expect(reasonsOn(3, [BOTH, { at: 1, fast: "1.0.1" }])).toHaveLength(1);
    expect(reasonsOn(3, [BOTH, { at: 1, fast: "1.1.0" }])).toHaveLength(2);
  });

  it.each([
    [0, "0s of 1d"],
    [999, "0s of 1d"],
    [61_000, "1m 1s of 1d"],
    [3_600_000, "1h of 1d"],
    [DAY_MS - 1, "23h 59m of 1d"],
  ])("show %i ms in words: %s", (ms, text) => {
    expect(reasonsOn(1 + ms / DAY_MS, [BOTH, { at: 1, fast: "1.0.1" }])[0]).toContain(`for ${text} (`);
  });

  it("show an instant to the millisecond if needed", () => {
    expect(reasonsOn(1, [BOTH, { at: 1 + 1500 / DAY_MS, fast: "1.0.1" }])[0]).toMatch(
      /until 2026-01-03T00:00:01\.500Z\.$/,
    );
  });

  it("point at the nearest line if only the module demands it", () => {
    const policy = POLICY.replace("    minor: 7d\n", "");
    const world: World = { files: { "channels/regular.yaml": policy }, override: { soak: { minor: "3d" } } };

    expect(decideOn(3, [BOTH, { at: 1, fast: "1.1.0" }], world).chosen?.reasons[1]?.source).toEqual({
      kind: "file",
      file: "channels/regular.yaml",
      line: 5,
    });
  });
});
