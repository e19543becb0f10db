import { type ModuleName, parseChannelName, parseModuleName } from "../../catalogue/names.ts";
import { compareText } from "../../document/order.ts";
import { placeOf } from "../../catalogue/paths.ts";
import type { Chronicle, RecordedChange } from "../../ports.ts";
import type { ModuleHistory, Revision } from "./history.ts";
import { historyOf, type PlacedChange } from "./moduleHistory.ts";

/** A chronicle whose times can be believed. */
export interface DatedChronicle {
  /** Every first-parent commit, oldest first; its `index` is its place here and in `Chronicle.commits`. */
  readonly revisions: readonly Revision[];
  readonly changes: readonly RecordedChange[];
}

/** Gives each commit the time of `believedTimes`. */
export function dateChronicle(
  { commits, changes }: Chronicle,
  merged: ReadonlyMap<string, { readonly atMs: number }>,
  nowMs: number,
): DatedChronicle {
  const times = believedTimes(commits, merged, nowMs);
  const revisions = commits.map(({ commit }, index): Revision => ({ index, commit, atMs: Number(times[index]) }));
  return { revisions, changes };
}

/**
 * What was merged at `atMs` (Unix milliseconds): the newest revision that is not later, and all before it. The last of
 * its `revisions` is the commit that the catalogue of that moment stands in; there is none when nothing is that old.
 */
export function truncateAt({ revisions, changes }: DatedChronicle, atMs: number): DatedChronicle {
  const end = revisions.findLastIndex((revision) => revision.atMs <= atMs) + 1;
  return { revisions: revisions.slice(0, end), changes: changes.filter(({ index }) => index < end) };
}

/** What a chronicle says of each module. */
export interface Histories {
  /** The modules that any file was ever about, in order. */
  readonly modules: readonly ModuleName[];
  /** Worked out when it is asked for first. A module of which nothing is known has a history in which nothing happens. */
  readonly of: (module: ModuleName) => ModuleHistory;
}

/** Sorts a chronicle by modules. Files of modules and channels whose names are none are passed over. */
export function historiesOf({ revisions, changes }: DatedChronicle): Histories {
  const byModule = Map.groupBy(
    changes.flatMap((change) => placed(change, revisions)),
    ({ module }) => module,
  );
  const known = new Map<ModuleName, ModuleHistory>();
  return {
    modules: [...byModule.keys()].sort(compareText),
    of: (module) => {
      const history = known.get(module) ?? historyOf(module, byModule.get(module) ?? []);
      known.set(module, history);
      return history;
    },
  };
}

function placed(change: RecordedChange, revisions: readonly Revision[]): readonly PlacedChange[] {
  const place = placeOf(change.path);
  const revision = revisions[change.index];
  if (place === undefined || revision === undefined || !("module" in place)) return [];
  const module = parseModuleName(place.module);
  if (module === undefined) return [];
  if (place.kind === "holds" || place.kind === "hotfixes") return [{ module, kind: place.kind, revision, change }];
  const channel = place.kind === "channel-template" ? parseChannelName(place.channel) : undefined;
  return channel === undefined ? [] : [{ module, kind: "served", channel, revision, change }];
}

/** A commit, and when it was made as it says itself. Unix milliseconds. */
export interface CommitTime {
  readonly commit: string;
  readonly committerMs: number;
}

/**
 * When each commit entered the base, as far as that can be believed: what the forge says, else what the committer's
 * clock said, but never before the parent. What is later than now is not believed: such a commit takes the time of the
 * next one that is, else now, and keeps nobody behind it from being earlier.
 *
 * Takes:  `commits` of the first-parent history, oldest first; `merged`, when the forge merged a commit; `nowMs`, the
 *         clock of whoever asks, and never an instant that is merely asked about. All of them Unix milliseconds.
 * Gives:  one time a commit. Without `merged` none is before the one in front of it.
 */
export function believedTimes(
  commits: readonly CommitTime[],
  merged: ReadonlyMap<string, { readonly atMs: number }>,
  nowMs: number,
): readonly number[] {
  let boundMs = -Infinity;
  const claimed = commits.map(({ commit, committerMs }) => {
    const claimedMs = merged.get(commit)?.atMs ?? Math.max(committerMs, boundMs);
    if (claimedMs <= nowMs) boundMs = claimedMs;
    return claimedMs;
  });
  let nextMs = nowMs;
  return claimed
    .toReversed()
    .map((claimedMs) => {
      if (claimedMs <= nowMs) nextMs = claimedMs;
      return nextMs;
    })
    .toReversed();
}
