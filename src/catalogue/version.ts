import { compareText } from "../document/order.ts";

declare const brand: unique symbol;

/** A module's version: `x.y.z`, or `x.y.z-<identifier>` with one pre-release identifier that begins with a letter. */
export type ModuleVersion = string & { readonly [brand]: "ModuleVersion" };

/** What a version must look like, for messages. */
export const VERSION_RULE =
  "x.y.z, or x.y.z-<identifier> with lower-case letters, digits and inner hyphens, beginning with a letter; at most 32 characters";

const NUMBER = "(0|[1-9]\\d*)";
const PATTERN = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-([a-z](?:[-a-z0-9]*[a-z0-9])?))?$`);

/**
 * Reads a version; `undefined` when it is none.
 *
 * The CRD also lets `1.0.0-RC1` and `1.0.0-rc-` pass, but then the name of the template, which carries the version, is
 * refused.
 */
export function parseVersion(text: string): ModuleVersion | undefined {
  return text.length <= 32 && PATTERN.test(text) ? (text as ModuleVersion) : undefined;
}

/**
 * Orders versions: semver, but digits in a pre-release compare as numbers (rc9 < rc10).
 *
 * Plain semver compares `rc10` and `rc9` as text, which would bar rc10 for ever. Negative, 0 or positive.
 */
export function compareVersions(a: ModuleVersion, b: ModuleVersion): number {
  const [left, right] = [split(a), split(b)];
  for (const index of [0, 1, 2] as const) {
    const difference = compareNumbers(left.numbers[index], right.numbers[index]);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

interface Parts {
  readonly numbers: readonly [string, string, string];
  readonly prerelease: string;
}

/** Versions whose parts are remembered: a replay of years compares the same few thousand millions of times. */
const REMEMBERED = 20_000;
const remembered = new Map<ModuleVersion, Parts>();

function split(version: ModuleVersion): Parts {
  const known = remembered.get(version);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED) remembered.clear();
  const parts = partsOf(version);
  remembered.set(version, parts);
  return parts;
}

function partsOf(version: ModuleVersion): Parts {
  const [release = "", ...identifier] = version.split("-");
  const [major = "", minor = "", patch = ""] = release.split(".");
  return { numbers: [major, minor, patch], prerelease: identifier.join("-") };
}

/** Decimal numbers of any length: the longer one is larger, since none has leading zeros. */
function compareNumbers(a: string, b: string): number {
  return a.length - b.length || compareText(a, b);
}

function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "") return 1;
  if (b === "") return -1;
  const [left, right] = [chunks(a), chunks(b)];
  for (const [index, chunk] of left.entries()) {
    const difference = compareChunks(chunk, right[index] ?? "");
    if (difference !== 0) return difference;
  }
  return left.length - right.length || compareText(a, b);
}

/** Numbers and single other characters: `rc10-a` → `r`, `c`, `10`, `-`, `a`. */
function chunks(prerelease: string): readonly string[] {
  return [...prerelease.matchAll(/\d+|\D/g)].map(([chunk]) => chunk);
}

function compareChunks(a: string, b: string): number {
  if (!/^\d/.test(a) || !/^\d/.test(b)) return compareText(a, b);
  return compareNumbers(a.replace(/^0+/, ""), b.replace(/^0+/, ""));
}
