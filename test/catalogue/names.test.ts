import { describe, expect, it } from "vitest";
import { parseChannelName, parseLandscapeName, parseModuleName } from "../../src/catalogue/names.ts";

const CASES = [
  {
    what: "a module",
    parse: parseModuleName,
    good: ["istio", "api-gateway", "abc-def-ghi", "a".repeat(64)],
    bad: [
      "",
      "ab",
      "a-b",
      "api-gw",
      "Istio",
      "istio2",
      "istio-",
      "-istio",
      "api--gateway",
      "api_gateway",
      "a".repeat(65),
    ],
  },
  {
    what: "a channel",
    parse: parseChannelName,
    good: ["fast", "regular", "abc", "a".repeat(32)],
    bad: ["", "ab", "none", "Fast", "fast-track", "fast1", "a".repeat(33), "fast\n"],
  },
  {
    what: "a landscape",
    parse: parseLandscapeName,
    good: ["dev", "d", "1", "prod-eu-10", "a".repeat(63)],
    bad: ["", "-dev", "dev-", "Dev", "dev.eu", "a".repeat(64)],
  },
] as const;

describe.each(CASES)("the name of $what", ({ parse, good, bad }) => {
  it.each(good)("accepts %j", (text) => {
    expect(parse(text)).toBe(text);
  });

  it.each(bad)("refuses %j", (text) => {
    expect(parse(text)).toBeUndefined();
  });
});
