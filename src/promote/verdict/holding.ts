import { holdEndMs, isAsStrong, isLift } from "../../catalogue/holdStrength.ts";
import type { ChannelName } from "../../catalogue/names.ts";
import type { Hold } from "../../catalogue/policy.ts";
import { isDecrease } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import type { DeclaredEntry, ModuleHistory, Revision } from "../../catalogue/history/history.ts";
import type { Interval } from "./interval.ts";
import { passedChannels, statesOf, type ChannelPath } from "./subject.ts";

/** A time in which one version may not move. */
export interface HeldPeriod extends Interval {
  readonly version: ModuleVersion;
  readonly why:
    | { readonly kind: "hold"; readonly hold: Hold; readonly from: Revision }
    /** `channel` went down to `to` without a word: what is above counts as held. */
    | {
        readonly kind: "decrease";
        readonly channel: ChannelName;
        readonly to: ModuleVersion;
        readonly at: Revision;
      };
}

/** What a decrease by hand amounts to. */
export interface DecreasePeriod extends HeldPeriod {
  readonly why: Extract<HeldPeriod["why"], { kind: "decrease" }>;
}

/**
 * Every time in which a version of the module may not enter the channel: holds for it, for a channel that it passes
 * before (what was withdrawn there is not carried further) or for all, and what a decrease of one of them by hand
 * amounts to. A decrease of any other channel counts, too, unless a hold that came with it says in which channels.
 */
export function heldPeriods(place: ChannelPath, history: ModuleHistory): readonly HeldPeriod[] {
  const channels = [...new Set([place.channel.name, ...passedChannels(place)])];
  const holds = history.holds.filter(({ entry }) => entry.channel === undefined || channels.includes(entry.channel));
  const others = [...history.served.keys()].filter((name) => !channels.includes(name));
  const periods = [
    ...holds.map(periodOf),
    ...channels.flatMap((name) => decreases(history, name)),
    ...others.flatMap((name) => unexplained(history, name)),
  ];
  // A hold may have ended before it was merged, as the one that unhold writes, and a forge's times may run backwards.
  return periods.filter(({ startMs, endMs }) => startMs < endMs);
}

/** The periods that are on at `nowMs` (Unix milliseconds). */
export function inForce(held: readonly HeldPeriod[], nowMs: number): readonly HeldPeriod[] {
  return held.filter(({ startMs, endMs }) => startMs <= nowMs && endMs > nowMs);
}

/**
 * What channels went down from by hand, and nobody lifted: it counts as held in every channel, since nobody said
 * otherwise. Where a hold came with the step, that says in which channels.
 *
 * Takes:  `nowMs` in Unix milliseconds.
 */
export function manualDecreases(history: ModuleHistory, nowMs: number): readonly DecreasePeriod[] {
  return [...history.served.keys()]
    .flatMap((channel) => unexplained(history, channel))
    .filter(({ startMs, endMs }) => startMs <= nowMs && endMs > nowMs);
}

/** The decreases of a channel with which no hold came. */
function unexplained(history: ModuleHistory, channel: ChannelName): readonly DecreasePeriod[] {
  return decreases(history, channel).filter(
    ({ version, why }) => !history.holds.some((hold) => covers(hold, version, channel) && stands(hold, why.at)),
  );
}

/** Whether a hold says something of a version in a channel. */
function covers({ entry }: DeclaredEntry<Hold>, version: ModuleVersion, channel: ChannelName): boolean {
  return entry.version === version && (entry.channel === undefined || entry.channel === channel);
}

/** It counts from the merge of its entry to the merge of its removal, and not longer than it says. */
function periodOf({ entry, from, to }: DeclaredEntry<Hold>): HeldPeriod {
  const endMs = Math.min(holdEndMs(entry), to?.atMs ?? Number.POSITIVE_INFINITY);
  return { version: entry.version, startMs: from.atMs, endMs, why: { kind: "hold", hold: entry, from } };
}

/**
 * Lifted once the channel serves the version again, or somebody lifted a hold on it since. What counts as held already is not
 * held once more: that would end with the first, and a channel that goes up and down fills no memory.
 */
function decreases(history: ModuleHistory, channel: ChannelName): readonly DecreasePeriod[] {
  // Most channels never fall, and a replay asks of hundreds of states at each of hundreds of moments.
  if (!everFell(history, channel)) return [];
  // What is lifted for another channel alone says nothing of this one.
  const holds = history.holds.filter(({ entry }) => entry.channel === undefined || entry.channel === channel);
  const ofVersion = Map.groupBy(holds, ({ entry }) => entry.version);
  const lifts = new Map(
    [...ofVersion].map(([version, own]) => [version, own.flatMap((hold) => liftOf(hold, own) ?? [])]),
  );
  const served = new Map<ModuleVersion, OpenPeriod[]>();
  let previous: ModuleVersion | undefined;
  return statesOf(history, channel).flatMap(({ version: to, revision: at }) => {
    if (to === undefined) return [];
    for (const period of served.get(to) ?? []) period.endMs = Math.min(period.endMs, at.atMs);
    served.set(to, []);
    const isDown = isDecrease(previous, to);
    previous = to;
    return isDown ? fall(served, lifts, { kind: "decrease", channel, to, at }) : [];
  });
}

function everFell(history: ModuleHistory, channel: ChannelName): boolean {
  let previous: ModuleVersion | undefined;
  return statesOf(history, channel).some(({ version }) => {
    const isDown = isDecrease(previous, version);
    previous = version ?? previous;
    return isDown;
  });
}

/**
 * By which merge a release manager lifted something by an entry: an entry that goes, or one that ends when it begins. A hold that
 * runs out, or that goes when it has, lifts nothing, and neither does one that a stronger one takes the place of: anybody
 * may do that.
 */
function liftOf(hold: DeclaredEntry<Hold>, ofVersion: readonly DeclaredEntry<Hold>[]): Revision | undefined {
  const { entry, from, to } = hold;
  if (isLift(entry)) return from;
  if (to === undefined || to.atMs >= holdEndMs(entry)) return undefined;
  return ofVersion.some((other) => isAsStrong(other.entry, entry) && stands(other, to)) ? undefined : to;
}

/** Whether an entry stands in the files after a merge. */
function stands({ from, to }: DeclaredEntry<Hold>, { index }: Revision): boolean {
  return from.index <= index && (to === undefined || to.index > index);
}

/** A period that the channel's next revision with the version ends. */
type OpenPeriod = { -readonly [Key in keyof DecreasePeriod]: DecreasePeriod[Key] };

/** Opens a period for each version above the one that the channel fell to; `served` has those that are open. */
function fall(
  served: ReadonlyMap<ModuleVersion, OpenPeriod[]>,
  lifts: ReadonlyMap<ModuleVersion, readonly Revision[]>,
  why: DecreasePeriod["why"],
): readonly DecreasePeriod[] {
  const { index, atMs } = why.at;
  return [...served].flatMap(([version, open]) => {
    const isHeld = open.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
    if (isHeld || compareVersions(version, why.to) <= 0) return [];
    // Two merges may be of one second: their order counts.
    const lifted = (lifts.get(version) ?? []).filter((lift) => lift.index >= index).map((lift) => lift.atMs);
    const period: OpenPeriod = { version, startMs: atMs, endMs: Math.min(Number.POSITIVE_INFINITY, ...lifted), why };
    open.push(period);
    return [period];
  });
}
