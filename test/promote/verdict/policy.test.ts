import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { weaknesses } from "../../../src/catalogue/override.ts";
import { LEVELS, type PromotionFile } from "../../../src/catalogue/policy.ts";
import { promotionPolicy, type Policy } from "../../../src/promote/verdict/policy.ts";

const DAY_MS = 86_400_000;
const WINDOW = { opens: "0 8 * * 1-4", for: "8h", timeZone: "Europe/Berlin" };
const FREEZE = { from: "2026-12-18T00:00:00Z", until: "2027-01-04T00:00:00+01:00", reason: "year-end" };

const CHANNEL: PromotionFile = {
  soak: { major: "30d", minor: "7d" },
  needs: ["smoke"],
  exposure: { clusters: 20 },
  health: { notWorseBy: "1%" },
  lines: "previous-first",
  windows: [WINDOW],
  freezes: [FREEZE],
  merge: "automatic",
};

const duration = fc.constantFrom("0d", "90s", "30m", "12h", "7d", "168h", "30d");
const file: fc.Arbitrary<PromotionFile> = fc.record(
  {
    soak: fc.record({ patch: duration, minor: duration, major: duration, first: duration }, { requiredKeys: [] }),
    needs: fc.subarray<"smoke" | "approval">(["smoke", "approval"]),
    exposure: fc.record({ clusters: fc.nat(99), healthyHours: fc.nat(99) }, { requiredKeys: [] }),
    health: fc.record({ notWorseBy: fc.constantFrom("0%", "0.5%", "1%", "100%") }),
    lines: fc.constantFrom("any", "previous-first"),
    merge: fc.constantFrom("automatic", "review"),
  },
  { requiredKeys: [] },
);

/** The policy without values that are the same for every file here, and with numbers for demands that are not made. */
function demands(policy: Policy): readonly number[] {
  const { soakMs, exposure, health } = policy;
  return [
    ...Object.values(soakMs),
    policy.needs.length,
    exposure?.clusters ?? -1,
    exposure?.healthyHours ?? -1,
    -(health?.notWorseBy ?? 2),
    policy.merge === "automatic" ? 0 : 1,
  ];
}

describe("the policy of a channel", () => {
  it("has the file's values as numbers", () => {
    expect(promotionPolicy(CHANNEL, undefined)).toEqual({
      soakMs: { first: 0, major: 30 * DAY_MS, minor: 7 * DAY_MS, patch: 0 },
      needs: ["smoke"],
      exposure: { clusters: 20, healthyHours: 0 },
      health: { notWorseBy: 0.01 },
      calendar: {
        windowSets: [{ statedBy: "channel", windows: [WINDOW] }],
        freezes: [
          {
            fromMs: Date.UTC(2026, 11, 18),
            untilMs: Date.UTC(2027, 0, 3, 23),
            reason: "year-end",
            statedBy: "channel",
            index: 0,
          },
        ],
      },
      merge: "automatic",
    });
  });

  it("demands nothing if it is empty, and does not merge automatically", () => {
    expect(promotionPolicy({}, undefined)).toEqual({
      soakMs: { first: 0, major: 0, minor: 0, patch: 0 },
      needs: [],
      exposure: undefined,
      health: undefined,
      calendar: { windowSets: [], freezes: [] },
      merge: "review",
    });
  });
});

describe("a module's own policy", () => {
  test.each<[string, PromotionFile, object]>([
    ["a longer soak", { soak: { minor: "14d", patch: "1d" } }, { soakMs: { minor: 14 * DAY_MS, patch: DAY_MS } }],
    ["more evidence", { needs: ["approval"] }, { needs: ["approval", "smoke"] }],
    ["more use", { exposure: { healthyHours: 500 } }, { exposure: { clusters: 20, healthyHours: 500 } }],
    ["better health", { health: { notWorseBy: "0.5%" } }, { health: { notWorseBy: 0.005 } }],
    ["a person", { merge: "review" }, { merge: "review" }],
  ])("may demand %s", (_, override, expected) => {
    expect(promotionPolicy(CHANNEL, override)).toMatchObject(expected);
  });

  it("adds its windows and freezes to the channel's", () => {
    const windows = [{ ...WINDOW, for: "1h" }];
    const freezes = [FREEZE, { from: "2026-12-01T00:00:00Z", until: "2026-12-02T00:00:00Z", reason: "a fair" }];
    const { calendar } = promotionPolicy(CHANNEL, { windows, freezes });
    expect(calendar.windowSets).toEqual([
      { statedBy: "channel", windows: [WINDOW] },
      { statedBy: "module", windows },
    ]);
    expect(calendar.freezes.map(({ reason, statedBy, index }) => `${statedBy} ${index} ${reason}`)).toEqual([
      "channel 0 year-end",
      "module 0 year-end",
      "module 1 a fair",
    ]);
  });

  it("changes nothing if it demands less", () => {
    const weaker: PromotionFile = {
      soak: { major: "29d", minor: "0d" },
      needs: [],
      exposure: { clusters: 19 },
      health: { notWorseBy: "2%" },
      lines: "any",
      freezes: [],
      merge: "automatic",
    };
    expect(promotionPolicy(CHANNEL, weaker)).toEqual(promotionPolicy(CHANNEL, undefined));
  });

  it("cannot make merges automatic if the channel does not", () => {
    expect(promotionPolicy({}, { merge: "automatic" }).merge).toBe("review");
  });

  it("never lowers a demand", () => {
    fc.assert(
      fc.property(file, file, (channel, override) => {
        const [alone, both] = [
          demands(promotionPolicy(channel, undefined)),
          demands(promotionPolicy(channel, override)),
        ];
        both.forEach((demand, index) => {
          expect(demand).toBeGreaterThanOrEqual(Number(alone[index]));
        });
        expect(promotionPolicy(channel, channel)).toEqual(promotionPolicy(channel, undefined));
      }),
    );
  });

  it("is weaker for check exactly where it has no effect", () => {
    fc.assert(
      fc.property(file, file, (channel, override) => {
        const both = promotionPolicy(channel, override);
        const own = promotionPolicy({ merge: "automatic" }, override);
        const { soak = {}, exposure = {}, health } = override;
        const without = [
          ...LEVELS.filter((level) => soak[level] !== undefined && both.soakMs[level] > own.soakMs[level]),
          ...(["clusters", "healthyHours"] as const).filter(
            (key) => exposure[key] !== undefined && Number(both.exposure?.[key]) > Number(own.exposure?.[key]),
          ),
          ...(health !== undefined && both.health?.notWorseBy !== own.health?.notWorseBy ? ["notWorseBy"] : []),
        ];
        const weaker = weaknesses(channel, override).map(({ path }) => String(path.at(-1)));

        expect(weaker.filter((name) => name !== "lines" && name !== "merge").sort()).toEqual(without.sort());
        expect(both.needs).toEqual([...new Set([...own.needs, ...promotionPolicy(channel, undefined).needs])].sort());
      }),
    );
  });
});
