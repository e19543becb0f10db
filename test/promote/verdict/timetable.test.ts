import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import type { PromotionFile } from "../../../src/catalogue/policy.ts";
import {
  day,
  DAY_MS,
  decideOn,
  gist,
  hashOfVersion,
  instant,
  ISTIO,
  SOAK,
  version,
  type Merge,
  type World,
} from "./timeline.ts";
import { ranOn } from "../smokePaths.ts";
import { mentions } from "../../support/mentions.ts";

const BOTH: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("evidence and calendar", () => {
  const MERGES = [BOTH, { at: 1, fast: "1.1.0" }];
  const smoke: Evidence = {
    kind: "smoke",
    module: ISTIO,
    version: version("1.1.0"),
    specHash: hashOfVersion("1.1.0"),
    observedAt: instant(2),
    source: "run 7",
    ...ranOn(true, { version: "1.0.0", specHash: hashOfVersion("1.0.0") }),
  };

  it("waits for demanded evidence, and tells the earliest time for it", () => {
    const world: World = { promotion: { soak: SOAK, needs: ["smoke"] } };

    expect(gist(decideOn(3, MERGES, world))).toBe("wait 1.1.0 >8 (2 more)");
    expect(gist(decideOn(9, MERGES, world))).toBe("wait 1.1.0 >9 (2 more)");
    expect(gist(decideOn(9, MERGES, world, { evidence: [smoke] }))).toBe("promote 1.1.0");
    expect(decideOn(9, MERGES, world, { evidence: [{ ...smoke, ...ranOn(false) }] }).kind).toBe("blocked");
    expect(decideOn(9, MERGES, world, { evidence: [{ ...smoke, specHash: hashOfVersion("1.0.0") }] }).kind).toBe(
      "wait",
    );
  });

  it("opens only in windows, and outside of freezes", () => {
    // The eighth day of the timeline, 2026-01-09, is a Friday.
    const windows = [{ opens: "0 8 * * 1-4", for: "8h", timeZone: "UTC" }];
    const freezes = [{ from: instant(11), until: instant(12), reason: "inventory" }];
    const monday = 11 + 8 / 24;

    expect(gist(decideOn(9, MERGES, { promotion: { soak: SOAK, windows } }))).toBe(`wait 1.1.0 @${String(monday)}`);
    expect(gist(decideOn(9, MERGES, { promotion: { soak: SOAK, windows, freezes } }))).toBe(
      `wait 1.1.0 @${String(monday + 1)}`,
    );
    expect(gist(decideOn(monday, MERGES, { promotion: { soak: SOAK, windows } }))).toBe("promote 1.1.0");
    expect(gist(decideOn(11.5, MERGES, { promotion: { soak: SOAK, freezes } }))).toBe("wait 1.1.0 @12");
  });

  it("lists every reason with its source", () => {
    const files = {
      "channels/regular.yaml": `format: 1
follows: fast
landscapes: [dev]
promotion:
  windows:
    - { opens: "0 0 * * *", for: 12h, timeZone: UTC }
  freezes:
    - { from: 2026-01-01T00:00:00Z, until: 2026-01-02T00:00:00Z, reason: fair }
    - { from: 2026-01-09T00:00:00Z, until: 2026-01-12T00:00:00Z, reason: inventory }
`,
      "modules/istio/module.yaml": `format: 1
owners: ["@org/team"]
policy:
  regular:
    windows:
      - { opens: "0 6 * * *", for: 12h, timeZone: UTC }
    freezes:
      - { from: 2026-02-01T00:00:00Z, until: 2026-02-03T00:00:00Z, reason: audit }
`,
    };
    const told = (at: number): readonly string[] =>
      (decideOn(at, MERGES, { files }).chosen?.reasons ?? []).map(({ topic, outcome, message, metAtMs, source }) => {
        const place = source?.kind === "file" ? `${source.file}:${String(source.line)}` : "nowhere";
        const met = metAtMs === undefined ? "" : ` @${String((metAtMs - day(0)) / DAY_MS)}`;
        return `${place} ${topic} ${outcome}${met}: ${message}`;
      });

    expect(told(15.25)).toEqual([
      mentions("channels/regular.yaml:5 window met", "channel"),
      mentions("modules/istio/module.yaml:5 window met", "module"),
    ]);
    expect(told(15)).toEqual([
      mentions("modules/istio/module.yaml:5 window waiting @15.25", "module", "2026-01-16T06:00:00Z"),
    ]);
    const [until, later] = ["2026-01-12T00:00:00Z", "2026-02-03T00:00:00Z"];
    expect(told(9.5)).toEqual([
      mentions("channels/regular.yaml:9 freeze waiting @11.25", until, "inventory", "2026-01-12T06:00:00Z"),
      mentions("channels/regular.yaml:5 window waiting @11.25", "channel", "2026-01-12T06:00:00Z"),
      mentions("modules/istio/module.yaml:5 window waiting @11.25", until, "module", "2026-01-12T06:00:00Z"),
    ]);
    expect(told(32.3)).toEqual([
      mentions("modules/istio/module.yaml:8 freeze waiting @33.25", later, "audit", "2026-02-03T06:00:00Z"),
      mentions("modules/istio/module.yaml:5 window waiting @33.25", later, "module", "2026-02-03T06:00:00Z"),
    ]);
  });

  it("waits for the first opening after the soak, not for the next one", () => {
    const windows = [{ opens: "0 8 * * *", for: "8h", timeZone: "UTC" }];

    expect(gist(decideOn(3, MERGES, { promotion: { soak: SOAK, windows } }))).toBe(`wait 1.1.0 @${String(8 + 8 / 24)}`);
  });

  describe("if the soak ends while they are closed", () => {
    const told = (at: number, promotion: PromotionFile): readonly string[] => {
      const { chosen } = decideOn(at, MERGES, { promotion: { soak: SOAK, ...promotion } });
      const reasons = chosen?.reasons ?? [];
      return reasons.map(
        ({ topic, outcome, message }) => `${topic} ${outcome}${topic === "soak" ? "" : `: ${message}`}`,
      );
    };
    const soak = ["soak met", "soak waiting"];

    it("are reasons for that time", () => {
      const freezes = [{ from: instant(7), until: instant(12), reason: "inventory" }];
      const end = "2026-01-13T00:00:00Z";

      expect(told(3, { freezes })).toEqual([
        ...soak,
        mentions("freeze waiting", "2026-01-09T00:00:00Z", end, "inventory", end),
      ]);
      const windows = [{ opens: "0 8 * * 1-4", for: "8h", timeZone: "UTC" }];
      expect(told(3, { windows })).toEqual([
        ...soak,
        mentions("window waiting", "2026-01-09T00:00:00Z", "channel", "2026-01-12T08:00:00Z"),
      ]);
    });

    it("are no reasons if they are open at that time", () => {
      const freezes = [{ from: instant(2), until: instant(6), reason: "inventory" }];
      expect(told(3, { freezes })).toEqual(soak);

      const windows = [{ opens: "0 0 * * 5", for: "8h", timeZone: "UTC" }];
      expect(told(3, { windows })).toEqual([
        ...soak,
        "window met: At 2026-01-09T00:00:00Z a window of the channel is open.",
      ]);
    });

    it("block if they never open again", () => {
      const freezes = [{ from: instant(7), until: instant(9000), reason: "end of life" }];
      const { kind, chosen } = decideOn(3, MERGES, { promotion: { soak: SOAK, freezes } });

      expect([kind, chosen?.earliest, chosen?.reasons.at(-1)?.topic]).toEqual(["blocked", undefined, "freeze"]);
    });
  });

  it("compares with the content that the channel serves now", () => {
    const health = (text: string, healthy: number, specHash = hashOfVersion(text)): Evidence => ({
      ...smoke,
      kind: "health",
      version: version(text),
      specHash,
      clusters: 10,
      healthy,
    });
    const world: World = { promotion: { health: { notWorseBy: "1%" } } };
    const decided = (evidence: readonly Evidence[], merges: readonly Merge[] = MERGES): string =>
      decideOn(9, merges, world, { evidence }).kind;

    expect(decided([health("1.1.0", 8), health("1.0.0", 8)])).toBe("promote");
    expect(decided([health("1.1.0", 8), health("1.0.0", 9)])).not.toBe("promote");
    expect(decided([health("1.1.0", 8), health("1.0.0", 8, hashOfVersion("1.1.0"))])).not.toBe("promote");
    expect(decided([health("1.1.0", 8), health("1.0.0", 8)], [{ at: 0, fast: "1.1.0" }])).toBe(
      decided([health("1.1.0", 8)], [{ at: 0, fast: "1.1.0" }]),
    );
  });

  it("promises no instant at which figures of health that count now are too old", () => {
    const figures = ["1.0.0", "1.1.0"].map((text): Evidence => {
      const about = { ...smoke, version: version(text), specHash: hashOfVersion(text), observedAt: instant(1.5) };
      return { ...about, kind: "health", clusters: 10, healthy: 10 };
    });
    const decided = (freeze: number): string => {
      const freezes = [{ from: instant(2), until: instant(freeze), reason: "audit" }];
      const health = { health: { notWorseBy: "1%" } };
      return gist(decideOn(3, MERGES, { promotion: { ...health, freezes } }, { evidence: figures }));
    };

    expect([decided(8), decided(9)]).toEqual(["wait 1.1.0 @8", "wait 1.1.0 >9 (1 more)"]);
  });

  it("promises whole seconds", () => {
    const at = (ms: number): string => new Date(day(9) + ms).toISOString();
    const freezes = [{ from: at(-5000), until: at(400), reason: "audit" }];

    expect(decideOn(9, MERGES, { promotion: { soak: SOAK, freezes } }).chosen?.earliest).toEqual({
      kind: "at",
      atMs: day(9) + 1000,
    });
  });

  it("blocks while a freeze ends before it begins, and names it", () => {
    const freezes = [
      { from: instant(1), until: instant(2), reason: "audit" },
      { from: instant(8), until: instant(3), reason: "year-end" },
    ];
    const { kind, chosen } = decideOn(9, MERGES, { promotion: { soak: SOAK, freezes } });

    expect([kind, chosen?.earliest]).toEqual(["blocked", undefined]);
    expect(chosen?.reasons.at(-1)).toMatchObject({
      topic: "freeze",
      message: mentions("year-end", "2026-01-09T00:00:00Z", "2026-01-04T00:00:00Z"),
      remedy: mentions("dates", "channels/regular.yaml"),
      source: { file: "channels/regular.yaml" },
    });
    expect(decideOn(9, MERGES, { override: { freezes } }).chosen?.reasons.at(-1)).toMatchObject({
      remedy: mentions("dates", "modules/istio/module.yaml"),
    });
  });

  it("blocks if nothing ever opens", () => {
    const windows = [{ opens: "0 0 30 2 *", for: "8h", timeZone: "UTC" }];
    const { kind, chosen } = decideOn(9, MERGES, { promotion: { soak: SOAK, windows } });

    expect([kind, chosen?.earliest]).toEqual(["blocked", undefined]);
    expect(chosen?.reasons.at(-1)).toEqual({
      topic: "window",
      outcome: "blocking",
      message: mentions("window", "channel", "nothing opens"),
      remedy: mentions("windows", "freezes"),
      source: { kind: "file", file: "channels/regular.yaml", line: 1 },
    });
  });
});
