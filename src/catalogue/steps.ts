import type { ServedState } from "./history/history.ts";
import type { ChannelName } from "./names.ts";
import { isHeld, type Hold, type Level, type VersionsRule } from "./policy.ts";
import { compareVersions, versionParts, type ModuleVersion } from "./version.ts";

/**
 * Every version that a channel ever served of a module, each once, highest first.
 *
 * Takes:  `states` of the channel; `current`, the version that it serves now, if any.
 */
export function everServed(
  states: readonly Pick<ServedState, "version">[] = [],
  current?: ModuleVersion,
): readonly ModuleVersion[] {
  const versions = [current, ...states.map(({ version }) => version)].filter((version) => version !== undefined);
  return [...new Set(versions)].sort((a, b) => compareVersions(b, a));
}

/** The semver distance of a step; *first* when the channel never had the module. Equal `x.y.z` are a patch apart. */
export function stepLevel(from: ModuleVersion | undefined, to: ModuleVersion): Level {
  if (from === undefined) return "first";
  const [before, after] = [versionParts(from), versionParts(to)];
  if (before.major !== after.major) return "major";
  return before.minor === after.minor ? "patch" : "minor";
}

/** Whether a step goes to a lower version; never, when the channel serves none before or after it. */
export function isDecrease(from: ModuleVersion | undefined, to: ModuleVersion | undefined): boolean {
  return from !== undefined && to !== undefined && compareVersions(to, from) < 0;
}

/** The line that a version belongs to: `1.2` of minors, `1` of majors. */
export function versionLine(version: ModuleVersion, line: "minor" | "major"): string {
  const { major, minor } = versionParts(version);
  return line === "major" ? String(major) : `${major}.${minor}`;
}

/**
 * Whether a step to `to` is a withdrawal: back to the highest version that the channel ever served and that is not held,
 * while every higher version that it ever served is held.
 *
 * Takes:  `ever`, the result of `everServed`, with the version before the step; `nowMs` in Unix milliseconds.
 */
export function isWithdrawal(
  to: ModuleVersion,
  ever: readonly ModuleVersion[],
  holds: readonly Hold[],
  channel: ChannelName,
  nowMs: number,
): boolean {
  return to !== ever[0] && to === ever.find((version) => !isHeld(holds, version, channel, nowMs));
}

const PRERELEASE = "prerelease:";

/** Whether a version fits `versions` of a channel's policy. */
export function fitsVersions(rule: VersionsRule, version: ModuleVersion): boolean {
  const prerelease = versionParts(version).prerelease.join();
  if (rule === "any") return true;
  return prerelease === (rule === "release" ? "" : rule.slice(PRERELEASE.length));
}
