import { describe, expect, it } from "vitest";
import type { Reason } from "../../../src/promote/verdict/verdict.ts";
import { manualDecreases, strayEntries } from "../../../src/promote/verdict/holding.ts";
import { catalogueOf, REPOSITORY } from "../../catalogue/repository.ts";
import { mentions } from "../../support/mentions.ts";
import { day, DAY_MS, decideOn, gist, historyOf, instant, ISTIO, REGULAR, version, type Merge } from "./timeline.ts";

const BOTH: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("holds", () => {
  const RISEN = [BOTH, { at: 1, fast: "1.1.0" }];

  it.each<[fact: string, at: number, merges: readonly Merge[], expected: string]>([
    ["block", 20, [...RISEN, { at: 9, hold: { version: "1.1.0" } }], "blocked 1.1.0 >20 (1 more)"],
    [
      "of the followed channel are a withdrawal",
      20,
      [...RISEN, { at: 9, hold: { version: "1.1.0", channel: "fast" } }],
      "blocked 1.1.0 >20 (1 more)",
    ],
    [
      "of another channel do not matter",
      20,
      [...RISEN, { at: 9, hold: { version: "1.1.0", channel: "slow" } }],
      "promote 1.1.0",
    ],
    ["of another version do not matter", 20, [...RISEN, { at: 9, hold: { version: "1.2.0" } }], "promote 1.1.0"],
    [
      "stop the clock, which continues when they are lifted",
      12,
      [...RISEN, { at: 3, hold: { version: "1.1.0" } }, { at: 10, unhold: "1.1.0" }],
      "wait 1.1.0 @15",
    ],
    [
      "that end by themselves tell when",
      5,
      [...RISEN, { at: 3, hold: { version: "1.1.0", until: instant(10) } }],
      "blocked 1.1.0 @15",
    ],
    [
      "have no effect once they ended",
      15,
      [...RISEN, { at: 3, hold: { version: "1.1.0", until: instant(10) } }],
      "promote 1.1.0",
    ],
    [
      "on one version allow the next one",
      20,
      [...RISEN, { at: 9, hold: { version: "1.1.0" } }, { at: 10, fast: "1.1.1" }],
      "promote 1.1.1",
    ],
  ])("%s", (_, at, merges, expected) => {
    expect(gist(decideOn(at, merges))).toBe(expected);
  });

  it("on a channel that does not exist block in every channel, and leave the clocks as they were", () => {
    const merges: readonly Merge[] = [
      ...RISEN,
      { at: 2, hold: { version: "1.1.0", channel: "gone" } },
      { at: 3, unhold: "1.1.0", hold: { version: "1.1.0", channel: "slow" } },
    ];
    const history = historyOf(...merges);
    const strays = strayEntries(catalogueOf(REPOSITORY), history);
    const { kind, chosen } = decideOn(20, merges, {}, { strays });

    expect(strays.holds).toMatchObject([{ entry: { channel: "slow" } }]);
    expect(kind).toBe("blocked");
    expect(chosen?.reasons.map(({ topic, outcome }) => `${topic} ${outcome}`)).toContain("soak met");
    expect(chosen?.reasons.find(({ topic }) => topic === "withdrawal")).toMatchObject({
      message: mentions(
        "octocat",
        "1.1.0",
        "slow",
        "2026-01-04T00:00:00Z",
        "it leaks",
        "slow",
        "modules/istio/holds.yaml",
      ),
      remedy: expect.stringContaining(" --channel slow ") as string,
    });
  });

  it("do not matter if the files cannot be relied on: then nothing moves", () => {
    const contradiction = { message: "The files of istio contradict one another.", remedy: "Correct the files." };
    const { kind, chosen } = decideOn(20, RISEN, {}, { contradiction });

    expect([kind, chosen?.reasons[0]]).toMatchObject(["blocked", { topic: "files", ...contradiction }]);
  });

  it("count as soon as they are proposed", () => {
    const proposed = {
      module: ISTIO,
      version: version("1.1.0"),
      channel: undefined,
      source: "https://example.com/pull/3",
    };
    const decided = (some: object): string =>
      gist(decideOn(20, RISEN, {}, { proposedHolds: [{ ...proposed, ...some }] }));

    expect(decided({})).toBe("blocked 1.1.0 >20 (1 more)");
    expect(decided({ channel: REGULAR })).toBe("blocked 1.1.0 >20 (1 more)");
    expect(decided({ channel: "fast" })).toBe("blocked 1.1.0 >20 (1 more)");
    expect(decided({ channel: "slow" })).toBe("promote 1.1.0");
    expect(decided({ module: "keda" })).toBe("promote 1.1.0");
    expect(decided({ version: "1.2.0" })).toBe("promote 1.1.0");
  });
});

describe("the reason of a hold", () => {
  const RISEN = [BOTH, { at: 1, fast: "1.1.0" }];
  const until = instant(30);
  const HOLDS = `format: 1
holds:
  - { version: 1.2.0, reason: it leaks, by: octocat, since: 2026-01-01T00:00:00Z }
  - { version: 1.1.0, channel: fast, reason: it leaks, by: octocat, since: 2026-01-01T00:00:00Z }
  - { version: 1.1.0, channel: regular, reason: it leaks, by: octocat, since: 2026-01-01T00:00:00Z }
  - { version: 1.1.0, reason: it leaks, by: octocat, since: 2026-01-01T00:00:00Z, until: "2026-01-05T00:00:00Z" }
  - { version: 1.1.0, reason: it leaks, by: octocat, since: 2026-01-01T00:00:00Z, until: "${until}" }
`;
  const heldOn = (at: number, hold: NonNullable<Merge["hold"]>, holds = HOLDS): Reason | undefined =>
    decideOn(at, [...RISEN, { at: 9, hold }], { files: { "modules/istio/holds.yaml": holds } }).chosen?.reasons[0];

  it("names person, time, reason, source and remedy", () => {
    expect(heldOn(20, { version: "1.1.0", channel: "regular" })).toEqual({
      topic: "hold",
      outcome: "blocking",
      message: expect.stringMatching(/^octocat .*1\.1\.0 .*regular .*2026-01-10T00:00:00Z\W+it leaks$/) as string,
      remedy: mentions("above 1.1.0", 'kyma-modules unhold istio@1.1.0 --channel regular --reason "…"'),
      source: { kind: "file", file: "modules/istio/holds.yaml", line: 5 },
    });
  });

  it("is a withdrawal if the version is held out of the followed channel", () => {
    expect(heldOn(20, { version: "1.1.0", channel: "fast" })).toMatchObject({
      topic: "withdrawal",
      source: { line: 4 },
    });
  });

  it("points at the effective entry among several of one version", () => {
    expect(heldOn(20, { version: "1.1.0", until })).toEqual({
      topic: "hold",
      outcome: "blocking",
      message: expect.stringMatching(
        /^octocat .*1\.1\.0 .*2026-01-10T.* 2026-01-31T00:00:00\.000Z\W+it leaks$/,
      ) as string,
      remedy: mentions("above 1.1.0", 'kyma-modules unhold istio@1.1.0 --reason "…"'),
      metAtMs: day(30),
      source: { kind: "file", file: "modules/istio/holds.yaml", line: 7 },
    });
  });

  it("points at the merge if the entry is gone", () => {
    const commit = { kind: "commit", commit: "c2" };

    expect(heldOn(20, { version: "1.1.0" }, "format: 1\nholds: []\n")?.source).toEqual(commit);
    expect(decideOn(20, [...RISEN, { at: 9, hold: { version: "1.1.0" } }]).chosen?.reasons[0]?.source).toEqual(commit);
  });

  it("exists from the instant of its merge to the one before its end", () => {
    const hold = { version: "1.1.0", until: instant(30) };

    expect(heldOn(9, hold)?.topic).toBe("hold");
    expect(heldOn(30 - 1 / DAY_MS, hold)?.topic).toBe("hold");
    expect(heldOn(30, hold)?.topic).toBe("soak");
  });

  it.each([
    [
      "hold/every-channel/istio-1.1.0",
      ["git merge --no-ff hold/every-channel/istio-1.1.0", "git branch -D hold/every-channel/istio-1.1.0"],
    ],
    [
      "origin/hold/fast/istio-1.1.0",
      [
        "git merge --no-ff origin/hold/fast/istio-1.1.0",
        "git push origin --delete hold/fast/istio-1.1.0",
        "git fetch --prune origin",
      ],
    ],
    ["https://example.com/pull/7", ["Merge", "close", "https://example.com/pull/7"]],
  ])("tells where a hold is proposed, and how to settle it: %s", (source, remedy) => {
    const proposed = { module: ISTIO, version: version("1.1.0"), channel: undefined, source };

    expect(decideOn(20, RISEN, {}, { proposedHolds: [proposed] }).chosen?.reasons[0]).toEqual({
      topic: "hold",
      outcome: "blocking",
      message: mentions("hold", "1.1.0", "proposed", source),
      remedy: mentions(...remedy),
      source: { kind: "evidence", source },
    });
  });
});

describe("files that cannot be relied on", () => {
  it("block every candidate until a person corrects them", () => {
    const contradiction = { message: "The files of istio contradict one another.", remedy: "Correct the files." };
    const merges = [BOTH, { at: 1, fast: "1.0.1" }, { at: 3, fast: "1.0.2" }];
    const { kind, candidates } = decideOn(20, merges, {}, { contradiction });

    expect([kind, candidates.map((one) => one.kind)]).toEqual(["blocked", ["blocked", "blocked"]]);
    expect(candidates[0]?.reasons[0]).toEqual({
      topic: "files",
      outcome: "blocking",
      ...contradiction,
      source: undefined,
    });
  });
});

describe("a version from which a channel went down by hand", () => {
  const RAISED: readonly Merge[] = [BOTH, { at: 1, fast: "1.1.0" }];
  const held = (at: number, ...merges: readonly Merge[]): readonly string[] =>
    manualDecreases(historyOf(...RAISED, ...merges), day(at)).map(({ version: one }) => one);

  it("counts as held everywhere, from the step on", () => {
    expect(held(4, { at: 3, fast: "1.0.0" })).toEqual(["1.1.0"]);
    expect(held(2, { at: 3, fast: "1.0.0" })).toEqual([]);
  });

  it("does not if a hold of that channel, or of all, came with the step", () => {
    expect(held(4, { at: 3, fast: "1.0.0", hold: { version: "1.1.0", channel: "fast" } })).toEqual([]);
    expect(held(4, { at: 3, fast: "1.0.0", hold: { version: "1.1.0" } })).toEqual([]);
  });

  it("does if the hold is of another version, another channel, or came later", () => {
    expect(held(4, { at: 3, fast: "1.0.0", hold: { version: "1.2.0" } })).toEqual(["1.1.0"]);
    expect(held(4, { at: 3, fast: "1.0.0", hold: { version: "1.1.0", channel: "regular" } })).toEqual(["1.1.0"]);
    expect(held(5, { at: 3, fast: "1.0.0" }, { at: 4, hold: { version: "1.1.0" } })).toEqual(["1.1.0"]);
  });

  it("no longer does once the channel serves it again", () => {
    expect(held(6, { at: 3, fast: "1.0.0" }, { at: 5, fast: "1.1.0" })).toEqual([]);
  });
});
