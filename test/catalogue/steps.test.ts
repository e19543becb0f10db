import { describe, expect, it } from "vitest";
import { parseChannelName, type ChannelName } from "../../src/catalogue/names.ts";
import type { Hold, VersionsRule } from "../../src/catalogue/policy.ts";
import { everServed, fitsVersions, isWithdrawal, stepLevel, versionLine } from "../../src/catalogue/steps.ts";
import { parseVersion, type ModuleVersion } from "../../src/catalogue/version.ts";

const NOW_MS = Date.parse("2026-11-21T12:00:00Z");
const channel = (text: string): ChannelName => parseChannelName(text) ?? expect.unreachable();
const version = (text: string): ModuleVersion => parseVersion(text) ?? expect.unreachable();
const FAST = channel("fast");

describe("the versions that a channel ever served", () => {
  const states = ["1.10.0", undefined, "1.9.0", "1.10.0", "1.10.0-rc"].map((text) => ({
    version: text === undefined ? undefined : version(text),
  }));

  it("are distinct, highest first", () => {
    expect(everServed(states)).toEqual(["1.10.0", "1.10.0-rc", "1.9.0"]);
  });

  it("include the current version", () => {
    expect(everServed(states, version("1.9.5"))).toEqual(["1.10.0", "1.10.0-rc", "1.9.5", "1.9.0"]);
    expect(everServed(undefined, version("1.0.0"))).toEqual(["1.0.0"]);
    expect(everServed([])).toEqual([]);
  });
});

describe("the level of a step", () => {
  it.each([
    [undefined, "1.0.0", "first"],
    ["1.0.0", "1.0.1", "patch"],
    ["1.0.0", "1.0.0", "patch"],
    ["1.0.0-rc", "1.0.0", "patch"],
    ["1.0.9", "1.1.0", "minor"],
    ["1.1.0", "1.0.9", "minor"],
    ["1.9.0", "2.9.0", "major"],
  ])("from %s to %s is %s", (from, to, level) => {
    expect(stepLevel(from === undefined ? undefined : version(from), version(to))).toBe(level);
  });
});

it("names the line of a version", () => {
  expect(versionLine(version("1.12.3-rc"), "minor")).toBe("1.12");
  expect(versionLine(version("1.12.3"), "major")).toBe("1");
});

describe("a withdrawal", () => {
  const ever = ["1.2.0", "1.1.0", "1.0.0"].map(version);
  const held = (...texts: readonly string[]): readonly Hold[] =>
    texts.map((text) => ({ version: version(text), reason: "leaks", by: "boss", since: "2026-01-01T00:00:00Z" }));
  const goesTo = (to: string, holds: readonly Hold[]): boolean => isWithdrawal(version(to), ever, holds, FAST, NOW_MS);

  it("goes back to the newest version that is not held", () => {
    expect(goesTo("1.1.0", held("1.2.0"))).toBe(true);
    expect(goesTo("1.0.0", held("1.2.0", "1.1.0"))).toBe(true);
  });

  it("goes no further, and requires a hold on every higher version", () => {
    expect(goesTo("1.0.0", held("1.2.0"))).toBe(false);
    expect(goesTo("1.1.0", [])).toBe(false);
    expect(goesTo("1.0.0", held("1.1.0"))).toBe(false);
  });

  it("does not go to a held, a never served, or the highest version", () => {
    expect(goesTo("1.1.0", held("1.2.0", "1.1.0"))).toBe(false);
    expect(goesTo("1.1.5", held("1.2.0"))).toBe(false);
    expect(goesTo("1.2.0", [])).toBe(false);
  });
});

it.each<[VersionsRule, string, boolean]>([
  ["any", "1.0.0-dev", true],
  ["release", "1.0.0", true],
  ["release", "1.0.0-dev", false],
  ["prerelease:dev", "1.0.0-dev", true],
  ["prerelease:dev", "1.0.0", false],
  ["prerelease:dev", "1.0.0-dev-b", false],
  ["prerelease:dev-b", "1.0.0-dev-b", true],
])("a channel of %s versions and %s: %s", (rule, text, fits) => {
  expect(fitsVersions(rule, version(text))).toBe(fits);
});
