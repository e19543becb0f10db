import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import { historyAt } from "../../catalogue/history/moduleHistory.ts";
import type { ModuleHistory, ServedState } from "../../catalogue/history/history.ts";
import { passedChannels, subjectStates, type Subject } from "../verdict/subject.ts";

/** An instant at which something happened that a verdict may depend on. */
export interface Moment {
  /** The newest revision that was merged by then. */
  readonly index: number;
  /** Unix milliseconds; never before that of an earlier moment. */
  readonly atMs: number;
}

/**
 * The moments of a module in one following channel, oldest first: merges and observations.
 *
 * Takes:  `fromMs`, the first moment of the replay, which is always included; `untilMs`, after which nothing counts.
 */
export function replayMoments(
  subject: Subject,
  history: ModuleHistory,
  evidence: readonly Evidence[],
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): readonly Moment[] {
  const channels = [subject.channel.name, ...passedChannels(subject)];
  const served = channels.flatMap((name) => subjectStates(history, name).map(({ revision }) => revision));
  const declared = [...history.holds, ...history.hotfixes].flatMap(({ from, to }) => [from, to ?? []].flat());
  const revisions = new Map([...served, ...declared].map((revision) => [revision.index, revision]));
  const merges = [...revisions.values()].sort((a, b) => a.index - b.index);
  const observed = evidence.map(({ observedAt }) => ({ index: -1, atMs: Date.parse(observedAt) }));
  const all = [...merges, { index: -1, atMs: fromMs }, ...observed].toSorted((a, b) => a.atMs - b.atMs);
  let index = -1;
  return all.flatMap((one, place) => {
    index = Math.max(index, one.index);
    const isLast = all[place + 1]?.atMs !== one.atMs;
    return isLast && one.atMs >= fromMs && one.atMs <= untilMs ? [{ index, atMs: one.atMs }] : [];
  });
}

/** The history up to the revision with this index, with `own` as the states of the following channel. */
export function historyUpTo(
  { channel }: Subject,
  history: ModuleHistory,
  own: readonly ServedState[],
  index: number,
): ModuleHistory {
  const then = historyAt(history, index);
  return { ...then, served: new Map([...then.served, [channel.name, own]]) };
}
