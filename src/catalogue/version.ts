import SemVer from "semver/classes/semver.js";
import parse from "semver/functions/parse.js";
import { compareText } from "../document/order.ts";

declare const brand: unique symbol;

/** A module's version: `x.y.z`, or `x.y.z-<identifier>` with one pre-release identifier that begins with a letter. */
export type ModuleVersion = string & { readonly [brand]: "ModuleVersion" };

/** The rule for a version, for messages. */
export const VERSION_RULE =
  "x.y.z, or x.y.z-<identifier> with lower-case letters, digits and inner hyphens, beginning with a letter; at most 32 characters";

const MOST_CHARACTERS = 32;
const IDENTIFIER = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

/**
 * Reads a version; `undefined` when the text is not valid.
 *
 * The CRD also accepts `1.0.0-RC1` and `1.0.0-rc-`, but not the name of the template, which contains the version. The CRD
 * does not limit numbers; semver accepts none above 2^53 - 1.
 */
export function parseVersion(text: string): ModuleVersion | undefined {
  return text.length <= MOST_CHARACTERS && readOnce(text) !== undefined ? (text as ModuleVersion) : undefined;
}

function read(text: string): SemVer | undefined {
  const parsed = parse(text);
  // semver also accepts `v1.0.0`, surrounding blanks, and build metadata.
  if (parsed?.version !== text) return undefined;
  const [identifier, ...others] = parsed.prerelease;
  const isOurs = identifier === undefined || (others.length === 0 && IDENTIFIER.test(String(identifier)));
  return isOurs ? parsed : undefined;
}

/**
 * Orders versions: semver, but digits in a pre-release compare as numbers (rc9 < rc10). Negative, 0 or positive.
 *
 * Plain semver compares `rc10` and `rc9` as text, so rc10 could never follow rc9.
 */
export function compareVersions(a: ModuleVersion, b: ModuleVersion): number {
  const [left, right] = [versionParts(a), versionParts(b)];
  return left.compareMain(right) || comparePrereleases(left.prerelease.join(), right.prerelease.join());
}

/**
 * Whether x.y.z of `a` is above that of `b`; texts that are not versions are not above. lifecycle-manager refuses
 * downgrades by this: it replaces rc2 by rc1.
 */
export function isAboveMain(a: string, b: string): boolean {
  const [left, right] = [readOnce(a), readOnce(b)];
  return left !== undefined && right !== undefined && left.compareMain(right) > 0;
}

/** The size of the cache: a replay of years, or a fleet, parses the same few thousand texts millions of times. */
const MAX_CACHED = 20_000;
const cache = new Map<string, SemVer | undefined>();

function readOnce(text: string): SemVer | undefined {
  const known = cache.get(text);
  if (known !== undefined || cache.has(text)) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const parts = read(text);
  cache.set(text, parts);
  return parts;
}

/** A version as parsed by semver: `major`, `minor`, `patch`, `prerelease`. */
export function versionParts(version: ModuleVersion): SemVer {
  return readOnce(version) ?? new SemVer(version);
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
  const [left, right] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  // Numbers of any length: the longer one is larger.
  return left.length - right.length || compareText(left, right);
}
