import fc from "fast-check";
import { compare } from "semver";
import { describe, expect, it } from "vitest";
import { compareVersions, parseVersion, versionParts, type ModuleVersion } from "../../src/catalogue/version.ts";
import { tries } from "../support/tries.ts";

function version(text: string): ModuleVersion {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is not a version`);
  return parsed;
}

const number = fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 1e8 })).map(String);
const release = fc.tuple(number, number, number).map((numbers) => numbers.join("."));
const identifier = fc.stringMatching(/^[a-c]([-a-c0-2]{0,4}[a-c0-2])?$/);
const few = fc.constantFrom("1.0.0", "1.0.1", "2.0.0");
const any = fc
  .oneof(
    release,
    fc.tuple(fc.oneof(few, release), identifier).map(([numbers, prerelease]) => `${numbers}-${prerelease}`),
  )
  .filter((text) => text.length <= 32)
  .map(version);

/** Without digits nothing of a pre-release is a number, so semver has nothing to say otherwise. */
const withoutDigits = fc
  .tuple(few, fc.oneof(fc.constant(""), fc.stringMatching(/^-[a-c]([-a-c]{0,4}[a-c])?$/)))
  .map((parts) => version(parts.join("")));

describe("parseVersion", () => {
  it.each([
    "0.0.0",
    "1.2.3",
    "10.20.30",
    "1.0.0-rc",
    "1.0.0-rc1",
    "1.0.0-a-b--c",
    "1.0.0-x",
    `1.0.0-${"a".repeat(26)}`,
  ])("reads %s", (text) => {
    expect(parseVersion(text)).toBe(text);
  });

  it.each([
    "",
    "1",
    "1.0",
    "v1.0.0",
    "1.0.0.0",
    "01.0.0",
    "1.0.0-",
    "1.0.0-1",
    "1.0.0-rc.1",
    "1.0.0-RC1",
    "1.0.0-rc-",
    "1.0.0+build",
    "1.0.0-rc1\n",
    " 1.0.0",
    `1.0.0-${"a".repeat(27)}`,
    "0.0.9007199254740992",
  ])("refuses %j", (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });
});

describe("compareVersions", () => {
  const sign = (a: ModuleVersion, b: ModuleVersion): number => Math.sign(compareVersions(a, b));

  it("is a total order", () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(sign(a, b) + sign(b, a)).toBe(0);
        expect(sign(a, b) === 0).toBe(a === b);
        if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBeLessThanOrEqual(0);
      }),
      tries(500),
    );
  });

  it("agrees with semver on releases", () => {
    fc.assert(
      fc.property(release, release, (a, b) => {
        expect(sign(version(a), version(b))).toBe(compare(a, b));
      }),
    );
  });

  it("agrees with semver on pre-releases without digits", () => {
    fc.assert(
      fc.property(withoutDigits, withoutDigits, (a, b) => {
        expect(sign(a, b)).toBe(compare(a, b));
      }),
      tries(200),
    );
  });

  it("agrees with semver on pre-releases that do not differ within a number", () => {
    fc.assert(
      fc.property(identifier, identifier, (left, right) => {
        const [a, b] = [`1.0.0-${left}`, `1.0.0-${right}`];
        let differ = 0;
        while (differ < a.length && a[differ] === b[differ]) differ++;
        const isDigit = (text: string, index: number): boolean => /\d/.test(text.charAt(index));
        fc.pre(!isDigit(a, differ - 1) && !(isDigit(a, differ) && isDigit(b, differ)));

        expect(sign(version(a), version(b))).toBe(compare(a, b));
      }),
      tries(500),
    );
  });

  it.each([
    ["1.0.0-rc9", "1.0.0-rc10"],
    ["1.0.0-rc2-hotfix9", "1.0.0-rc2-hotfix10"],
    ["1.0.0-rc", "1.0.0-rc1"],
    ["1.0.0-rc-a", "1.0.0-rc1"],
    ["1.0.0-rc1", "1.0.0-rca"],
    ["1.0.0-rc1", "1.0.0"],
    ["1.0.0", "1.0.1-rc1"],
    ["1.9.0", "1.10.0"],
    ["9.0.0", "10.0.0"],
    ["1.0.0-rc01", "1.0.0-rc1"],
    ["1.0.0-rc1", "1.0.0-rc02"],
    ["0.0.9007199254740990", "0.0.9007199254740991"],
  ])("puts %s before %s", (a, b) => {
    expect(compareVersions(version(a), version(b))).toBeLessThan(0);
    expect(compareVersions(version(b), version(a))).toBeGreaterThan(0);
  });

  it("orders more versions than it caches", () => {
    const many = Array.from({ length: 21_000 }, (_, index) => version(`1.${index}.0`));

    expect([...many].reverse().sort(compareVersions)).toEqual(many);
  });
});

describe("the parts of a version", () => {
  it("are those of semver, and an invalid text has none", () => {
    expect(versionParts(version("1.2.3-rc4"))).toMatchObject({ major: 1, minor: 2, patch: 3, prerelease: ["rc4"] });
    expect(() => versionParts("latest" as ModuleVersion)).toThrow(/Invalid Version/);
  });
});
