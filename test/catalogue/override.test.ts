import { describe, expect, it, test } from "vitest";
import { weaknesses } from "../../src/catalogue/override.ts";
import type { PromotionFile } from "../../src/catalogue/policy.ts";

const WINDOW = { opens: "0 8 * * 1-4", for: "8h", timeZone: "Europe/Berlin" };
const FREEZE = { from: "2026-12-18T00:00:00Z", until: "2027-01-04T00:00:00Z", reason: "year-end" };
const OFFSITE = { from: "2026-09-01T00:00:00Z", until: "2026-09-03T00:00:00Z", reason: "team offsite" };

const CHANNEL: PromotionFile = {
  soak: { major: "30d", minor: "7d" },
  needs: ["smoke"],
  exposure: { clusters: 20 },
  health: { notWorseBy: "1%" },
  lines: "previous-first",
  windows: [WINDOW],
  freezes: [FREEZE],
  merge: "review",
};

const paths = (override: PromotionFile, channel = CHANNEL): readonly string[] =>
  weaknesses(channel, override).map(
    ({ path, demanded, isCertain }) => `${path.join(".")}: ${demanded}${isCertain ? "" : "?"}`,
  );

describe("a module's policy", () => {
  test.each<[string, PromotionFile]>([
    ["says nothing", {}],
    ["repeats the channel's", CHANNEL],
    ["soaks longer, in another unit", { soak: { minor: "169h", patch: "1s" } }],
    ["needs more", { needs: ["approval", "smoke"] }],
    ["wants more exposure", { exposure: { clusters: 21, healthyHours: 1 } }],
    ["lets less get worse", { health: { notWorseBy: "0.5%" } }],
    ["needs something else, too", { needs: ["approval"] }],
    ["freezes at another time, too", { freezes: [OFFSITE] }],
  ])("is not weaker when it %s", (_, override) => {
    expect(weaknesses(CHANNEL, override)).toEqual([]);
  });

  test.each<[string, PromotionFile, string]>([
    ["soaks less", { soak: { minor: "167h" } }, "soak.minor: 7d"],
    ["wants less exposure", { exposure: { clusters: 19 } }, "exposure.clusters: 20"],
    ["lets more get worse", { health: { notWorseBy: "1.5%" } }, "health.notWorseBy: 1%"],
    ["lets lines pass", { lines: "any" }, "lines: previous-first"],
    ["merges without a person", { merge: "automatic" }, "merge: review"],
    [
      "opens another window",
      { windows: [WINDOW, { ...WINDOW, for: "9h" }] },
      "windows.1: 0 8 * * 1-4 for 8h (Europe/Berlin)?",
    ],
  ])("is weaker when it %s", (_, override, weakness) => {
    expect(paths(override)).toEqual([weakness]);
  });

  it("is as strict as a channel that demands nothing", () => {
    expect(weaknesses({}, { ...CHANNEL, lines: "any", merge: "automatic" })).toEqual([]);
  });
});
