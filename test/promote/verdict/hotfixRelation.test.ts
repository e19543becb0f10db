import { describe, expect, it } from "vitest";
import { passedOver } from "../../../src/promote/verdict/candidates.ts";
import { strayEntries } from "../../../src/promote/verdict/holding.ts";
import { catalogueOf, REPOSITORY } from "../../catalogue/repository.ts";
import { mentions } from "../../support/mentions.ts";
import { day, decideOn, gist, historyOf, instant, REGULAR, subjectOf, version, type Merge } from "./timeline.ts";

const BOTH: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("a hot-fix", () => {
  const FIXED = (alsoFixedIn?: readonly string[]): readonly Merge[] => [
    { at: 0, fast: "1.15.0", regular: "1.15.0" },
    { at: 1, fast: "1.17.0" },
    { at: 2, regular: "1.15.1", hotfix: { version: "1.15.1", ...(alsoFixedIn && { alsoFixedIn }) } },
  ];

  it("is not undone by a version that was merged before it", () => {
    const { kind, chosen } = decideOn(40, FIXED());

    expect([kind, chosen?.version]).toEqual(["blocked", "1.17.0"]);
    const message = mentions("fast", "1.17.0", "1.15.1", "regular");
    expect(chosen?.reasons[0]).toMatchObject({ topic: "hot-fix", outcome: "blocking", message });
  });

  it("allows a version that is listed as fixed, and later ones in its line", () => {
    expect(gist(decideOn(40, FIXED(["1.17.0"])))).toBe("promote 1.17.0");
    expect(gist(decideOn(40, FIXED(["1.17.1"])))).toBe("blocked 1.17.0 >40 (1 more)");
    expect(gist(decideOn(40, [...FIXED(["1.17.1"]), { at: 3, fast: "1.17.2" }]))).toBe("promote 1.17.2");
  });

  it("allows a version that was merged after it, and notes that the repair is presumed", () => {
    const { kind, chosen } = decideOn(40, [...FIXED(), { at: 3, fast: "1.17.1" }]);

    expect([kind, chosen?.version]).toEqual(["promote", "1.17.1"]);
    expect(chosen?.reasons[0]).toMatchObject({ topic: "hot-fix", outcome: "note", message: mentions("presumed") });
  });

  it("does not matter for another channel", () => {
    const merges = [BOTH, { at: 1, fast: "1.1.0" }, { at: 2, hotfix: { version: "1.0.1", channel: "slow" } }];

    expect(gist(decideOn(40, merges))).toBe("promote 1.1.0");
  });

  it("of a channel that does not exist counts in every following channel, as for one that was renamed", () => {
    const merges: readonly Merge[] = [
      BOTH,
      { at: 1, fast: "1.1.0" },
      { at: 2, hotfix: { version: "1.0.1", channel: "gone" } },
    ];
    const strays = strayEntries(catalogueOf(REPOSITORY), historyOf(...merges));
    const { kind, chosen } = decideOn(40, merges, {}, { strays });

    expect([kind, chosen?.version]).toEqual(["blocked", "1.1.0"]);
    const message = mentions("1.1.0", "1.0.1", "no channel gone", "modules/istio/hotfixes.yaml");
    expect(chosen?.reasons[0]).toMatchObject({ topic: "hot-fix", outcome: "blocking", message });
  });

  it("does not matter once its entry was removed", () => {
    expect(gist(decideOn(40, [...FIXED(), { at: 3, unhotfix: "1.15.1" }]))).toBe("promote 1.17.0");
  });

  it("does not block its own version", () => {
    const merges = [
      { at: 0, fast: "1.15.0", regular: "1.15.0" },
      { at: 1, fast: "1.15.1" },
      { at: 2, regular: "1.15.1", hotfix: { version: "1.15.1" } },
      { at: 3, regular: null },
    ];
    const { kind, chosen } = decideOn(40, merges);

    expect([kind, chosen?.version, chosen?.reasons.filter(({ topic }) => topic === "hot-fix")]).toEqual([
      "promote",
      "1.15.1",
      [],
    ]);
  });

  it("presumes the repair in a version of the same merge", () => {
    const merges = [
      { at: 0, fast: "1.15.0", regular: "1.15.0" },
      { at: 2, fast: "1.17.0", regular: "1.15.1", hotfix: { version: "1.15.1" } },
    ];

    expect(gist(decideOn(40, merges))).toBe("promote 1.17.0");
  });

  it("counts from the first time that the followed channel had a version", () => {
    const merges = [...FIXED(), { at: 3, fast: "1.17.1" }, { at: 4, fast: null }, { at: 5, fast: "1.17.0" }];
    const { candidates } = decideOn(40, merges);

    expect(candidates.find(({ version }) => version === "1.17.0")?.reasons.map(({ topic }) => topic)).toContain(
      "hot-fix",
    );
  });

  it.each([
    ["of an earlier version in the line", ["1.16.9", "1.17.0"], "listed"],
    ["in another line", ["1.16.0"], "unfixed"],
    ["of a pre-release in the line", ["1.17.0-rc1"], "listed"],
  ])("accepts a listing %s", (_, alsoFixedIn, expected) => {
    expect(decideOn(40, FIXED(alsoFixedIn)).kind).toBe(expected === "listed" ? "promote" : "blocked");
  });

  it("gives a reason and its source for each hot-fix", () => {
    const text = `format: 1
hotfixes:
  - { version: 1.15.1, channel: regular, incident: "https://example.com/incident/7", by: octocat, at: 2026-01-01T00:00:00Z }
  - { version: 1.15.2, channel: fast, incident: "https://example.com/incident/7", by: octocat, at: 2026-01-01T00:00:00Z }
  - version: 1.15.2
    channel: regular
    incident: https://example.com/incident/7
    by: octocat
    at: 2026-01-01T00:00:00Z
`;
    const merges = [
      ...FIXED(["1.17.0"]),
      { at: 3, fast: "1.17.1" },
      { at: 4, regular: "1.15.2", hotfix: { version: "1.15.2" } },
      { at: 5, regular: "1.15.3", hotfix: { version: "1.15.3", alsoFixedIn: ["1.17.1"] } },
      { at: 6, fast: "1.18.0" },
    ];
    const reasons = decideOn(40, merges, { files: { "modules/istio/hotfixes.yaml": text } }).candidates.flatMap(
      ({ version, reasons }) => reasons.filter(({ topic }) => topic === "hot-fix").map((one) => ({ version, ...one })),
    );

    const incident = "https://example.com/incident/7";
    const file = (line: number): object => ({ kind: "file", file: "modules/istio/hotfixes.yaml", line });
    expect(reasons.slice(3)).toEqual([
      {
        version: "1.17.1",
        topic: "hot-fix",
        outcome: "note",
        message: mentions("1.17.0", "listed", "1.15.1", "regular", incident, "2026-01-03T00:00:00Z"),
        source: file(3),
      },
      {
        version: "1.17.1",
        topic: "hot-fix",
        outcome: "blocking",
        message: mentions("fast", "1.17.1", "1.15.2", "regular", incident, "2026-01-05T00:00:00Z", "1.17.1"),
        remedy: mentions("fast", "1.17.1", "alsoFixedIn", "modules/istio/hotfixes.yaml"),
        source: file(5),
      },
      {
        version: "1.17.1",
        topic: "hot-fix",
        outcome: "note",
        message: mentions("1.17.1", "listed", "1.15.3", "regular", incident, "2026-01-06T00:00:00Z"),
        source: { kind: "commit", commit: "c5" },
      },
      expect.objectContaining({ version: "1.17.0" }),
      expect.objectContaining({ version: "1.17.0" }),
      expect.objectContaining({ version: "1.17.0" }),
    ]);
    expect(reasons.slice(0, 3)).toMatchObject(
      ["1.15.1", "1.15.2", "1.15.3"].map((text, index) => ({
        version: "1.18.0",
        outcome: "note",
        message: mentions(
          ...["fast", "1.18.0", text, "regular", incident],
          ...[`2026-01-0${String([3, 5, 6][index])}T00:00:00Z`, "presumed"],
        ),
      })),
    );
  });
});

describe("the versions that a hot-fix blocks", () => {
  const RISEN: readonly Merge[] = [
    { at: 0, fast: "1.15.0", regular: "1.15.0" },
    { at: 1, fast: "1.15.1" },
    { at: 2, fast: "1.17.0" },
    { at: 3, fast: "1.17.1" },
  ];
  const passed = (merges: readonly Merge[], ...alsoFixedIn: readonly string[]): readonly string[] => {
    const about = { incident: "https://example.com/7", by: "octocat", at: instant(4) };
    const declaration = { version: version("1.15.1"), channel: REGULAR, ...about };
    const listed = { ...declaration, alsoFixedIn: alsoFixedIn.map(version) };
    return passedOver(subjectOf(), historyOf(...merges), listed, day(4));
  };

  it("are higher and came before it, except listed ones and later ones in the same minor line", () => {
    expect(passed(RISEN)).toEqual(["1.17.1", "1.17.0"]);
    expect(passed(RISEN, "1.17.1")).toEqual(["1.17.0"]);
    expect(passed(RISEN, "1.16.0")).toEqual(["1.17.1", "1.17.0"]);
    expect(passed(RISEN, "1.17.0")).toEqual([]);
  });

  it("exclude versions that the channel does not accept, and those that the followed channel took back", () => {
    expect(passed([...RISEN, { at: 3.5, fast: "1.18.0-experimental" }])).toEqual(["1.17.1", "1.17.0"]);
    expect(passed([...RISEN, { at: 3.5, fast: "1.17.0" }])).toEqual(["1.17.0"]);
  });
});
