import type { ChannelName } from "../../catalogue/names.ts";
import type { Hotfix, Level } from "../../catalogue/policy.ts";
import { fitsVersions, stepLevel, versionLine } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import type { DeclaredEntry, ModuleHistory, ServedState } from "../../catalogue/history/history.ts";
import { passedChannels, subjectStates, type Subject, type VerdictFacts } from "./subject.ts";

/** The current and the highest version of a module in a channel. */
export interface ChannelStanding {
  readonly current: ModuleVersion | undefined;
  /** The highest version that it ever served. */
  readonly highest: ModuleVersion | undefined;
}

/** The standing after `states`, oldest first. */
export function channelStanding(states: readonly ServedState[]): ChannelStanding {
  return states.reduce((standing, { version }) => standingAfter(standing, version), NOTHING_SERVED);
}

/** The standing in a channel that never had the module. */
export const NOTHING_SERVED: ChannelStanding = { current: undefined, highest: undefined };

/** The standing once the channel serves `current`. */
export function standingAfter({ highest }: ChannelStanding, current: ModuleVersion | undefined): ChannelStanding {
  const isHigher = current !== undefined && (highest === undefined || compareVersions(highest, current) < 0);
  return { current, highest: isHigher ? current : highest };
}

/**
 * The versions that may come into the channel, highest first. The followed channel served such a version once, and the
 * channel accepts its kind. It is above the channel's current version, not below the highest version that the channel
 * ever served, and not above the followed channel's current version.
 */
export function promotionCandidates(subject: Subject, history: ModuleHistory): readonly ModuleVersion[] {
  const ever = new Set(subjectStates(history, subject.followed.name).flatMap(({ version }) => version ?? []));
  const isPossible = possibleIn(subject, history);
  return [...ever].filter(isPossible).sort((a, b) => compareVersions(b, a));
}

/** Whether `version` is one of `promotionCandidates`. */
export function isCandidate(subject: Subject, history: ModuleHistory, version: ModuleVersion): boolean {
  const states = subjectStates(history, subject.followed.name);
  return states.some((state) => state.version === version) && possibleIn(subject, history)(version);
}

/** A check of a version that the followed channel ever served: whether it may come into the channel. */
function possibleIn({ channel, followed }: Subject, history: ModuleHistory): (version: ModuleVersion) => boolean {
  const { current, highest } = channelStanding(subjectStates(history, channel.name));
  const top = subjectStates(history, followed.name).at(-1)?.version;
  return (version) =>
    top !== undefined &&
    fitsVersions(channel.versions, version) &&
    isAbove(version, current) &&
    (highest === undefined || compareVersions(version, highest) >= 0) &&
    compareVersions(version, top) <= 0;
}

/** Whether `version` is above `current`. Any version is above none, and none is above anything. */
export function isAbove(version: ModuleVersion | undefined, current: ModuleVersion | undefined): boolean {
  return version !== undefined && (current === undefined || compareVersions(version, current) > 0);
}

/** The semver level of a step from the channel's current version, else from the highest that it ever served. */
export function levelFrom({ current, highest }: ChannelStanding, to: ModuleVersion): Level {
  return stepLevel(current ?? highest, to);
}

/** How a hot-fix of the channel relates to a version that comes from upstream. */
export type HotfixRelation =
  /** `channel` got the version before the hot-fix was merged, and the version is not declared to have the repair. */
  | { readonly kind: "unfixed"; readonly hotfix: DeclaredEntry<Hotfix>; readonly channel: ChannelName }
  /** The version was merged later, so it is presumed to have the repair. */
  | { readonly kind: "presumed-fixed"; readonly hotfix: DeclaredEntry<Hotfix> }
  /** The version is listed, or comes later in the minor line of a listed one. */
  | { readonly kind: "listed"; readonly hotfix: DeclaredEntry<Hotfix>; readonly listed: ModuleVersion };

/** The hot-fixes that count for a channel that follows another. One whose entry was removed does not count. */
export function countedHotfixes(
  channel: ChannelName,
  { history, strays }: Pick<VerdictFacts, "history" | "strays">,
): readonly DeclaredEntry<Hotfix>[] {
  const own = history.hotfixes.filter(({ entry, to }) => entry.channel === channel && to === undefined);
  return [...own, ...strays.hotfixes];
}

/** How each of `hotfixes` relates to `version`. */
export function hotfixRelations(
  subject: Subject,
  hotfixes: readonly DeclaredEntry<Hotfix>[],
  history: ModuleHistory,
  version: ModuleVersion,
): readonly HotfixRelation[] {
  const firsts = passedChannels(subject).flatMap((channel) => {
    const state = subjectStates(history, channel).find((one) => one.version === version);
    return state === undefined ? [] : [{ channel, index: state.revision.index }];
  });
  return hotfixes
    .filter(({ entry }) => entry.version !== version)
    .map((hotfix): HotfixRelation => {
      const listed = hotfix.entry.alsoFixedIn?.find(
        (other) =>
          versionLine(version, "minor") === versionLine(other, "minor") && compareVersions(version, other) >= 0,
      );
      if (listed !== undefined) return { kind: "listed", hotfix, listed };
      // A version that an upstream channel served before reaches the followed channel unchanged, however late.
      const before = firsts.find(({ index }) => index < hotfix.from.index);
      if (before === undefined) return { kind: "presumed-fixed", hotfix };
      return { kind: "unfixed", hotfix, channel: before.channel };
    });
}

/**
 * The versions that `declaration` blocks once it is merged, highest first: higher versions that came before it, and
 * that an upstream channel serves, or may still pass on.
 */
export function passedOver(
  subject: Subject,
  history: ModuleHistory,
  declaration: Hotfix,
  nowMs: number,
): readonly ModuleVersion[] {
  const from = { index: Number.POSITIVE_INFINITY, commit: "", atMs: nowMs };
  const merged = [{ entry: declaration, from, to: undefined }];
  const coming = subject.upstream.flatMap((followed) => promotionCandidates({ ...subject, followed }, history));
  return [...new Set(coming)]
    .filter((version) => compareVersions(version, declaration.version) > 0)
    .filter((version) => hotfixRelations(subject, merged, history, version).some(({ kind }) => kind === "unfixed"))
    .sort((a, b) => compareVersions(b, a));
}
