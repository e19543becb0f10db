import SemVer from "semver/classes/semver.js";
import parse from "semver/functions/parse.js";
import { compareText } from "../document/order.ts";

declare const brand: unique symbol;

/** A module's version: `x.y.z`, or `x.y.z-<identifier>` with one pre-release identifier that begins with a letter. */
export type ModuleVersion = string & { readonly [brand]: "ModuleVersion" };

/** What a version must look like, for messages. */
export const VERSION_RULE =
  "x.y.z, or x.y.z-<identifier> with lower-case letters, digits and inner hyphens, beginning with a letter; at most 32 characters";

const MOST_CHARACTERS = 32;
const IDENTIFIER = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

/**
 * Reads a version; `undefined` when it is none.
 *
 * The CRD also lets `1.0.0-RC1` and `1.0.0-rc-` pass, but then the name of the template, which carries the version, is
 * refused. It sets numbers no limit, where semver takes none above 2^53 - 1.
 */
export function parseVersion(text: string): ModuleVersion | undefined {
  return text.length <= MOST_CHARACTERS && readOnce(text) !== undefined ? (text as ModuleVersion) : undefined;
}

function read(text: string): SemVer | undefined {
  const parsed = parse(text);
  // semver also reads `v1.0.0`, blanks around it, and build metadata.
  if (parsed?.version !== text) return undefined;
  const [identifier, ...others] = parsed.prerelease;
  const isOurs = identifier === undefined || (others.length === 0 && IDENTIFIER.test(String(identifier)));
  return isOurs ? parsed : undefined;
}

/**
 * Orders versions: semver, but digits in a pre-release compare as numbers (rc9 < rc10).
 *
 * Plain semver compares `rc10` and `rc9` as text, which would bar rc10 for ever. Negative, 0 or positive.
 */
export function compareVersions(a: ModuleVersion, b: ModuleVersion): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  return left.compareMain(right) || comparePrereleases(left.prerelease.join(), right.prerelease.join());
}

/** Texts that are remembered: a replay of years, and a look at a fleet, read the same few thousand millions of times. */
const REMEMBERED = 20_000;
const remembered = new Map<string, SemVer | undefined>();

function readOnce(text: string): SemVer | undefined {
  const known = remembered.get(text);
  if (known !== undefined || remembered.has(text)) return known;
  if (remembered.size >= REMEMBERED) remembered.clear();
  const parts = read(text);
  remembered.set(text, parts);
  return parts;
}

/** What semver makes of a version: `major`, `minor`, `patch`, `prerelease`. */
export function partsOf(version: ModuleVersion): SemVer {
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
  // Of any length: the longer one is larger.
  return left.length - right.length || compareText(left, right);
}
