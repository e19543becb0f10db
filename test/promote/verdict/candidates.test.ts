import { describe, expect, it } from "vitest";
import { decideOn, gist, instant, SOAK, type Merge, type World } from "./timeline.ts";

const BOTH: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("candidates", () => {
  it.each<[fact: string, at: number, merges: readonly Merge[], expected: string]>([
    ["nothing if there is no higher version", 5, [BOTH], "nothing"],
    ["a higher version once its soak is over", 9, [BOTH, { at: 1, fast: "1.1.0" }], "promote 1.1.0"],
    [
      "a version that the followed channel no longer serves",
      20,
      [BOTH, { at: 1, fast: "1.1.0" }, { at: 10, fast: "1.2.0" }, { at: 11, fast: "1.2.1" }],
      "promote 1.2.1",
    ],
    [
      "the highest that may move, not the highest of all",
      12,
      [BOTH, { at: 1, fast: "1.1.0" }, { at: 10, fast: "1.2.0" }],
      "promote 1.1.0",
    ],
    [
      "nothing above the followed channel's current version",
      30,
      [BOTH, { at: 1, fast: "1.2.0" }, { at: 15, fast: "1.1.0" }],
      "promote 1.1.0",
    ],
    [
      "nothing once the followed channel serves nothing",
      30,
      [BOTH, { at: 1, fast: "1.1.0" }, { at: 15, fast: null }],
      "nothing",
    ],
    [
      "nothing below the highest that the channel ever served",
      30,
      [
        { at: 0, fast: "1.5.0", regular: "1.5.0" },
        { at: 1, regular: null },
        { at: 2, fast: "1.4.0" },
      ],
      "nothing",
    ],
    [
      "a version that the channel once served, if it serves nothing now",
      30,
      [BOTH, { at: 1, regular: null }],
      "promote 1.0.0",
    ],
    [
      "nothing below the highest version, if that is above the current one",
      30,
      [
        { at: 0, fast: "1.5.0", regular: "1.5.0" },
        { at: 1, fast: "1.4.0", regular: "1.3.0" },
      ],
      "nothing",
    ],
    ["a version of a module that the channel never had, at once", 1, [{ at: 0, fast: "1.0.0" }], "promote 1.0.0"],
  ])("are %s", (_, at, merges, expected) => {
    expect(gist(decideOn(at, merges))).toBe(expected);
  });

  it("are of a kind that the channel accepts", () => {
    const merges = [BOTH, { at: 1, fast: "1.1.0-rc1" }];

    expect(gist(decideOn(20, merges))).toBe("nothing");
    expect(gist(decideOn(20, merges, { versions: "any" }))).toBe("promote 1.1.0-rc1");
  });

  it("are all assessed, highest first", () => {
    const { candidates } = decideOn(12, [BOTH, { at: 1, fast: "1.1.0" }, { at: 10, fast: "2.0.0" }]);

    expect(candidates.map(({ version, kind, level }) => [version, kind, level])).toEqual([
      ["2.0.0", "wait", "major"],
      ["1.1.0", "promote", "minor"],
    ]);
  });

  it("include a version once, however often the followed channel served it", () => {
    const merges = [BOTH, { at: 1, fast: "1.1.0" }, { at: 2, fast: "1.1.0" }, { at: 3, fast: "1.1.0" }];

    expect(decideOn(20, merges).candidates).toHaveLength(1);
  });

  it("have a level relative to the highest former version, if the channel serves nothing", () => {
    const merges = [BOTH, { at: 1, regular: null }, { at: 2, fast: "1.1.0" }];

    expect(decideOn(20, merges).chosen?.level).toBe("minor");
  });

  it("are empty for a module without a history", () => {
    const history = { served: new Map(), holds: [], hotfixes: [] };

    expect(gist(decideOn(5, [], {}, { history }))).toBe("nothing");
  });

  it("are listed with module, channel and current version", () => {
    const about = { module: "istio", channel: "regular", follows: "fast" };

    expect(decideOn(5, [BOTH])).toEqual({
      ...about,
      kind: "nothing",
      current: "1.0.0",
      chosen: undefined,
      candidates: [],
    });
    expect(decideOn(5, [{ at: 0, fast: "1.0.0" }])).toMatchObject({
      ...about,
      current: undefined,
      chosen: { level: "first", isHotfix: false, earliest: undefined, reasons: [] },
    });
  });
});

describe("among several candidates", () => {
  // One day is the soak of a patch, and the waves take two.
  const SHIFTED: readonly Merge[] = [BOTH, { at: 1, fast: "1.0.1" }, { at: 3, fast: "1.0.2" }];
  const WORLD: World = { wave: { soak: "2d" } };
  const freeze = (from: number): World => ({
    ...WORLD,
    promotion: { soak: SOAK, freezes: [{ from: instant(from), until: instant(40_000), reason: "end" }] },
  });

  it("the one that may move first is chosen if none may move now", () => {
    expect(gist(decideOn(3.5, SHIFTED, WORLD))).toBe("wait 1.0.1 @4");
  });

  it("those that never may move come last", () => {
    const verdict = decideOn(3.5, SHIFTED, freeze(4.5));

    expect(gist(verdict)).toBe("wait 1.0.1 @4");
    expect(verdict.candidates[0]).toMatchObject({ version: "1.0.2", kind: "blocked", earliest: undefined });
  });

  it("the highest is chosen if none ever may move", () => {
    expect(gist(decideOn(3.5, SHIFTED, freeze(3.6)))).toBe("blocked 1.0.2");
  });

  it("the highest is chosen of those that may move at the same time", () => {
    const world: World = { promotion: { soak: SOAK, needs: ["smoke"] } };

    expect(gist(decideOn(9, SHIFTED, world))).toBe("wait 1.0.2 >9 (2 more)");
  });

  it("a waiting one goes before a higher, blocked one", () => {
    const world: World = { promotion: { soak: SOAK, needs: ["smoke"] } };

    expect(gist(decideOn(9, [...SHIFTED, { at: 8, hold: { version: "1.0.2" } }], world))).toBe(
      "wait 1.0.1 >9 (2 more)",
    );
  });

  it("the highest is chosen if all are blocked", () => {
    const held = ["1.0.1", "1.0.2"].map((version) => ({ at: 8, hold: { version, until: instant(10) } }));

    expect(gist(decideOn(9, [...SHIFTED, ...held]))).toMatch(/^blocked 1\.0\.2/);
  });
});
