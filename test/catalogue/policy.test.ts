import { describe, expect, test } from "vitest";
import type { ChannelName } from "../../src/catalogue/names.ts";
import { durationMs, isHeld, type Hold } from "../../src/catalogue/policy.ts";
import type { ModuleVersion } from "../../src/catalogue/version.ts";

const [FAST, REGULAR] = ["fast" as ChannelName, "regular" as ChannelName];

describe("a policy", () => {
  test("counts in milliseconds", () => {
    expect(["90s", "30m", "12h", "7d"].map(durationMs)).toEqual([90_000, 1_800_000, 43_200_000, 604_800_000]);
  });

  test("holds a version everywhere or in a channel, for ever or until an instant", () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    const version = "1.0.0" as ModuleVersion;
    const held = (more: Partial<Hold>): boolean =>
      isHeld([{ version, reason: "r", by: "b", since: "2026-11-01T00:00:00Z", ...more }], version, FAST, now);
    expect(held({})).toBe(true);
    expect(held({ version: "1.0.1" as ModuleVersion })).toBe(false);
    expect(held({ channel: FAST })).toBe(true);
    expect(held({ channel: REGULAR })).toBe(false);
    expect(held({ until: "2026-11-21T12:00:01Z" })).toBe(true);
    expect(held({ until: "2026-11-21T12:00:00Z" })).toBe(false);
  });
});
