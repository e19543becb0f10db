import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import type { LandscapeName } from "../../../src/catalogue/names.ts";
import { mentions } from "../../support/mentions.ts";
import { decideOn, gist, hashOfVersion, instant, ISTIO, version, type Merge, type World } from "./timeline.ts";

const BOTH: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("soak, shifted by the waves,", () => {
  it("begins when the last landscape of the followed channel can serve it, and ends as late", () => {
    const wave = { soak: "2d" };
    const merges = [BOTH, { at: 3, fast: "1.1.0" }];

    expect(gist(decideOn(5, merges, { wave }))).toBe("wait 1.1.0 @12");
    expect(gist(decideOn(30, [...merges, { at: 11, fast: "1.2.0" }], { wave }))).toBe("promote 1.2.0");
    expect(decideOn(12, [...merges, { at: 11, fast: "1.2.0" }], { wave }).kind).toBe("promote");
  });

  it("never began for a version that was withdrawn before it reached the last landscape", () => {
    const merges = [BOTH, { at: 3, fast: "1.1.0" }, { at: 4, fast: "1.0.0" }, { at: 30, fast: "1.1.0" }];

    expect(gist(decideOn(31, merges, { wave: { soak: "2d" } }))).toBe("wait 1.1.0 @39");
  });

  it("of a hot-fix of the followed channel begins after the shorter waves", () => {
    const merges = [BOTH, { at: 3, fast: "1.0.1", hotfix: { version: "1.0.1", channel: "fast" } }];

    expect(gist(decideOn(3, merges, { wave: { soak: "2d", hotfixSoak: "12h" } }))).toBe("wait 1.0.1 @4.5");
  });

  it("begins at once after a step down, which is carried everywhere", () => {
    const merges = [
      { at: 0, fast: "1.2.0", regular: "1.0.0" },
      { at: 10, fast: "1.1.0" },
    ];

    expect(gist(decideOn(11, merges, { wave: { soak: "2d" } }))).toBe("wait 1.1.0 @17");
  });

  it("ends at once with the channel's file, and begins late when the file comes back", () => {
    const merges = [BOTH, { at: 1, fast: "1.1.0" }, { at: 5, fast: null }, { at: 6, fast: "1.1.0" }];

    expect(gist(decideOn(7, merges, { wave: { soak: "2d" } }))).toBe("wait 1.1.0 @13");
  });

  it("detects a step down, even if the channel served nothing in between", () => {
    const merges = [
      { at: 0, fast: "1.2.0", regular: "1.0.0" },
      { at: 5, fast: null },
      { at: 10, fast: "1.1.0" },
    ];

    expect(gist(decideOn(11, merges, { wave: { soak: "2d" } }))).toBe("wait 1.1.0 @17");
  });

  it("ends with the version that reaches the last landscape first, not with the next one in order", () => {
    const merges = [BOTH, { at: 1, fast: "1.1.0" }, { at: 10, fast: "1.2.0" }, { at: 11, fast: "1.1.1" }];
    const { candidates } = decideOn(30, merges, { wave: { soak: "5d" }, promotion: { soak: { patch: "7d" } } });

    expect(candidates.map(({ version, kind, reasons }) => [version, kind, reasons.at(-1)?.message])).toEqual([
      ["1.1.1", "promote", mentions("fast", "1.1.1", "19d of 7d", "soak of patch")],
      ["1.1.0", "blocked", mentions("fast", "1.1.0", "5d of 7d", "soak of patch", "stopped")],
    ]);
  });

  it("does not count a version that has not reached the last landscape", () => {
    const merges = [BOTH, { at: 1, fast: "1.1.0" }, { at: 5, fast: "1.1.1" }];
    const [first] = decideOn(6, merges, { wave: { soak: "2d" } }).candidates;

    expect(first?.reasons.map(({ message }) => message)).toEqual([
      mentions(
        ...["fast", "1.1.1", "0s of 1d", "soak of patch"],
        ...["2026-01-08T00:00:00Z", "last landscape", "2026-01-09T00:00:00Z"],
      ),
      mentions("fast", "line 1.1", "3d of 7d", "soak of minor", "2026-01-11T00:00:00Z"),
    ]);
  });

  it("begins as late as usual for a hot-fix of another channel, or for another version", () => {
    const wave = { soak: "2d", hotfixSoak: "12h" };
    const merges = (hotfix: NonNullable<Merge["hotfix"]>): readonly Merge[] => [BOTH, { at: 3, fast: "1.0.2", hotfix }];

    expect(gist(decideOn(3, merges({ version: "1.0.2", channel: "regular" }), { wave }))).toBe("wait 1.0.2 @6");
    expect(gist(decideOn(3, merges({ version: "1.0.1", channel: "fast" }), { wave }))).toBe("wait 1.0.2 @6");
  });

  it.each([
    ["all on the way, also those that do not serve the channel", ["dev", "prod"], "wait 1.0.1 @5"],
    ["none if only the first serves it", ["dev"], "wait 1.0.1 @2"],
    ["none if only the last serves it", ["prod"], "wait 1.0.1 @2"],
    ["those from the first that serves it", ["stage", "prod"], "wait 1.0.1 @4"],
    ["those up to the last that serves it", ["stage", "dev"], "wait 1.0.1 @3"],
  ])("adds up the soaks: %s", (_, landscapes, expected) => {
    const landscape = (name: string, after?: object): object => ({
      name,
      controlPlane: { context: `kcp-${name}` },
      ...(after && { after }),
    });
    const settings = {
      format: 1,
      landscapes: [
        landscape("dev"),
        landscape("stage", { landscape: "dev", soak: "1d" }),
        landscape("prod", { landscape: "stage", soak: "2d" }),
      ],
    };
    const world: World = {
      files: {
        "kyma-modules.yaml": JSON.stringify(settings),
        "channels/fast.yaml": JSON.stringify({ format: 1, versions: "any", landscapes }),
      },
    };

    expect(gist(decideOn(1, [BOTH, { at: 1, fast: "1.0.1" }], world))).toBe(expected);
  });
});

describe("soak, if the landscapes were seen to serve a version,", () => {
  const seen = (landscape: string, at: number, some: object = {}): Evidence => ({
    kind: "served",
    module: ISTIO,
    version: version("1.1.0"),
    specHash: hashOfVersion("1.1.0"),
    landscape: landscape as LandscapeName,
    observedAt: instant(at),
    source: `kcp-${landscape}`,
    ...some,
  });
  const merges = [BOTH, { at: 1, fast: "1.1.0" }];
  const decided = (...evidence: readonly Evidence[]): string => gist(decideOn(5, merges, {}, { evidence }));

  it("runs from the last of them", () => {
    expect(decided(seen("dev", 1), seen("prod", 4))).toBe("wait 1.1.0 @11");
    expect(decided(seen("prod", 4), seen("dev", 1))).toBe("wait 1.1.0 @11");
  });

  it("runs from the merge if one of them was not seen to serve it", () => {
    expect(decided(seen("dev", 4))).toBe("wait 1.1.0 @8");
    expect(decided(seen("dev", 4), seen("prod", 6))).toBe("wait 1.1.0 @8");
  });

  it("ignores observations from before the merge", () => {
    expect(decided(seen("dev", 0), seen("prod", 0.5))).toBe("wait 1.1.0 @8");
    expect(decided(seen("dev", 0.5), seen("prod", 4))).toBe("wait 1.1.0 @8");
    expect(decided(seen("dev", 1), seen("prod", 4))).toBe("wait 1.1.0 @11");
  });

  it("runs anew from observations since the version came back", () => {
    const again = [...merges, { at: 2, fast: "1.0.0" }, { at: 4, fast: "1.1.0" }];
    const evidence = [seen("dev", 1), seen("prod", 1), seen("dev", 5), seen("prod", 5)];

    expect(gist(decideOn(6, again, {}, { evidence }))).toBe("wait 1.1.0 @11");
    expect(gist(decideOn(6, again, {}, { evidence: evidence.slice(0, 2) }))).toBe("wait 1.1.0 @10");
  });

  it.each([
    ["another module", { module: "keda" }],
    ["another version", { version: "1.2.0" }],
    ["another content", { specHash: hashOfVersion("1.2.0") }],
  ])("ignores %s", (_, some) => {
    expect(decided(seen("dev", 4, some), seen("prod", 4, some))).toBe("wait 1.1.0 @8");
  });

  it("ends when the next version was seen everywhere, not when it was merged", () => {
    const next = { version: version("1.2.0"), specHash: hashOfVersion("1.2.0") };
    const evidence = [seen("dev", 9, next), seen("prod", 9, next)];

    expect(gist(decideOn(9, [...merges, { at: 7, fast: "1.2.0" }]))).toBe("wait 1.2.0 @14");
    expect(gist(decideOn(9, [...merges, { at: 7, fast: "1.2.0" }], {}, { evidence }))).toBe("promote 1.1.0");
  });
});
