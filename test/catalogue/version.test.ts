import fc from "fast-check";
import semver from "semver";
import { describe, expect, it } from "vitest";
import { compareVersions, parseVersion, type ModuleVersion } from "../../src/catalogue/version.ts";

function version(text: string): ModuleVersion {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is no version`);
  return parsed;
}

const number = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 999_999 })).map(String);
const release = fc.tuple(number, number, number).map((parts) => parts.join("."));
const identifier = fc.stringMatching(/^[a-z](?:[-a-z0-9]{0,4}[a-z0-9])?$/);
const any = fc
  .oneof(
    release,
    fc.tuple(release, identifier).map((parts) => parts.join("-")),
  )
  .map(version);

describe("parseVersion", () => {
  it.each(["0.0.0", "1.2.3", "10.20.30", "1.0.0-rc1", "1.0.0-e2e-test", "1.0.0-a"])("takes %s", (text) => {
    expect(parseVersion(text)).toBe(text);
  });

  it.each([
    ["", "nothing"],
    ["v1.0.0", "a leading v"],
    ["1.0", "two numbers"],
    ["1.0.0-RC1", "capitals: the name of the template is refused"],
    ["1.0.0-rc-", "a hyphen at the end: the name of the template is refused"],
    ["1.0.0-rc.1", "two identifiers"],
    ["1.0.0-1", "an identifier that begins with a digit"],
    ["1.0.0+build", "build metadata"],
    ["01.0.0", "a leading zero"],
    ["1.0.0-abcdefghijklmnopqrstuvwxyz01", "more than 32 characters"],
    ["1.0.0\n", "a line end"],
  ])("refuses %j: %s", (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });
});

describe("compareVersions", () => {
  it("orders releases as semver does", () => {
    fc.assert(
      fc.property(release, release, (a, b) => {
        expect(Math.sign(compareVersions(version(a), version(b)))).toBe(semver.compare(a, b));
      }),
    );
  });

  it("puts a pre-release before its release, as semver does", () => {
    expect(compareVersions(version("1.0.0-rc1"), version("1.0.0"))).toBeLessThan(0);
    expect(compareVersions(version("1.0.0"), version("1.0.0-rc1"))).toBeGreaterThan(0);
  });

  it.each([
    ["1.0.0-rc9", "1.0.0-rc10"],
    ["1.0.0-rc", "1.0.0-rc1"],
    ["1.0.0-rc1", "1.0.0-rc1-hotfix"],
    ["1.0.0-rc1a2", "1.0.0-rc1a10"],
    ["1.0.0-alpha2", "1.0.0-beta1"],
    ["1.0.0-a1", "1.0.0-a1b"],
    ["1.0.0-a1", "1.0.0-ab"],
    ["1.0.0-rc01", "1.0.0-rc2"],
    ["1.9.0", "1.10.0"],
  ])("%s comes before %s", (lower, higher) => {
    expect(compareVersions(version(lower), version(higher))).toBeLessThan(0);
    expect(compareVersions(version(higher), version(lower))).toBeGreaterThan(0);
  });

  it("is a total order: only a version itself is equal to it, and it does not matter how often one sorts", () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(compareVersions(a, b) === 0).toBe(a === b);
        expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)));
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
