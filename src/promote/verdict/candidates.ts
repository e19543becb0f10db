import type { Hotfix, Level } from "../../catalogue/policy.ts";
import { fitsVersions, levelOf, lineOf } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import type { Declared, ModuleHistory, ServedState } from "./history.ts";
import { statesOf, type Subject } from "./subject.ts";

/** What a channel serves and served of a module. */
export interface Standing {
  readonly current: ModuleVersion | undefined;
  /** The highest version that it ever served. */
  readonly highest: ModuleVersion | undefined;
}

/** What `states`, oldest first, amount to. */
export function standingOf(states: readonly ServedState[]): Standing {
  const versions = states.flatMap(({ version }) => version ?? []);
  return { current: states.at(-1)?.version, highest: versions.reduce<Standing["highest"]>(higher, undefined) };
}

function higher(a: ModuleVersion | undefined, b: ModuleVersion): ModuleVersion {
  return a === undefined || compareVersions(a, b) < 0 ? b : a;
}

/**
 * The versions that may come into the channel, highest first: those that the followed one ever served, that fit, that
 * are above what the channel serves, not below the highest that it ever served, and not above what the followed one
 * serves now.
 */
export function candidatesOf({ channel, followed }: Subject, history: ModuleHistory): readonly ModuleVersion[] {
  const states = statesOf(history, followed.name);
  const { current, highest } = standingOf(statesOf(history, channel.name));
  const top = standingOf(states).current;
  if (top === undefined) return [];
  const isCandidate = (version: ModuleVersion): boolean =>
    fitsVersions(channel.versions, version) &&
    (current === undefined || compareVersions(version, current) > 0) &&
    (highest === undefined || compareVersions(version, highest) >= 0) &&
    compareVersions(version, top) <= 0;
  return [...new Set(states.flatMap(({ version }) => version ?? []))]
    .filter(isCandidate)
    .sort((a, b) => compareVersions(b, a));
}

/** The semver distance of a step: from what the channel serves, else from the highest that it ever served. */
export function levelFrom({ current, highest }: Standing, to: ModuleVersion): Level {
  return levelOf(current ?? highest, to);
}

/** What is known of a hot-fix of the channel and a version of the followed one. */
export type Memory =
  /** The version was merged before the hot-fix, and nobody said that it has the repair. */
  | { readonly kind: "unfixed"; readonly hotfix: Declared<Hotfix> }
  /** The version was merged later: it is taken to have the repair. */
  | { readonly kind: "presumed-fixed"; readonly hotfix: Declared<Hotfix> }
  /** It is listed, or comes later in the line of a listed one. */
  | { readonly kind: "listed"; readonly hotfix: Declared<Hotfix>; readonly listed: ModuleVersion };

/** What each hot-fix of the channel means for `version`. A hot-fix whose entry was removed means nothing any more. */
export function memoriesOf(
  { channel, followed }: Subject,
  history: ModuleHistory,
  version: ModuleVersion,
): readonly Memory[] {
  const first = statesOf(history, followed.name).find((state) => state.version === version)?.revision.index;
  return history.hotfixes
    .filter(({ entry, to }) => entry.channel === channel.name && to === undefined && entry.version !== version)
    .map((hotfix): Memory => {
      const listed = hotfix.entry.alsoFixedIn?.find((other) => isSameOrLater(version, other));
      if (listed !== undefined) return { kind: "listed", hotfix, listed };
      const isEarlier = first !== undefined && first < hotfix.from.index;
      return { kind: isEarlier ? "unfixed" : "presumed-fixed", hotfix };
    });
}

function isSameOrLater(version: ModuleVersion, listed: ModuleVersion): boolean {
  return lineOf(version, "minor") === lineOf(listed, "minor") && compareVersions(version, listed) >= 0;
}
