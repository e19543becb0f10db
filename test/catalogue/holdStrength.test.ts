import { describe, expect, it } from "vitest";
import { holdEndMs, isAsStrong, isChannelUnknown } from "../../src/catalogue/holdStrength.ts";
import type { Hold } from "../../src/catalogue/policy.ts";
import { parseChannelName } from "../../src/catalogue/names.ts";
import { parseVersion } from "../../src/catalogue/version.ts";
import { findingsOf } from "./repository.ts";

const [version, other, fast, regular] = [
  parseVersion("1.0.0"),
  parseVersion("1.0.1"),
  parseChannelName("fast"),
  parseChannelName("regular"),
];
if (version === undefined || other === undefined || fast === undefined || regular === undefined)
  throw new Error("these are names");
const HOLD: Hold = { version, reason: "a", by: "b", since: "2026-01-01T00:00:00Z" };
const UNTIL: Hold = { ...HOLD, until: "2026-12-01T00:00:00Z" };

describe("a hold", () => {
  it("is on an unknown channel if that does not exist, which one with a broken policy does", () => {
    const catalogue = { channels: new Map(), findings: findingsOf({ "channels/regular.yaml": "format: 2\n" }) };

    expect(isChannelUnknown(HOLD.channel, catalogue)).toBe(false);
    expect(isChannelUnknown(fast, catalogue)).toBe(true);
    expect(isChannelUnknown(regular, catalogue)).toBe(false);
  });

  it("ends at its end, or never", () => {
    expect(holdEndMs(UNTIL)).toBe(Date.UTC(2026, 11, 1));
    expect(holdEndMs(HOLD)).toBe(Number.POSITIVE_INFINITY);
  });

  it.each<[string, Hold, Hold, boolean]>([
    ["itself", HOLD, HOLD, true],
    ["one on another version", { ...HOLD, version: other }, HOLD, false],
    ["one on a channel, when it holds in all", HOLD, { ...HOLD, channel: fast }, true],
    ["one on all channels, when it holds in one", { ...HOLD, channel: fast }, HOLD, false],
    ["one on another channel", { ...HOLD, channel: fast }, { ...HOLD, channel: regular }, false],
    ["one that ends, when it does not", HOLD, UNTIL, true],
    ["one that does not end, when it does", UNTIL, HOLD, false],
  ])("is as strong as %s, or not", (_, strong, hold, isIt) => {
    expect(isAsStrong(strong, hold)).toBe(isIt);
  });
});
