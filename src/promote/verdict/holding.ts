import type { Catalogue, Channel } from "../../catalogue/catalogue.ts";
import { holdEndMs, isAsStrong, isLift, isChannelUnknown } from "../../catalogue/holdStrength.ts";
import type { ChannelName } from "../../catalogue/names.ts";
import type { Hold, Hotfix } from "../../catalogue/policy.ts";
import { isDecrease } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import type { DeclaredEntry, ModuleHistory, Revision } from "../../catalogue/history/history.ts";
import type { Interval } from "./interval.ts";
import { passedChannels, placeIn, subjectStates, type ChannelPath, type StrayEntries } from "./subject.ts";

/** A period in which one version may not move. */
export interface HeldPeriod extends Interval {
  readonly version: ModuleVersion;
  readonly why:
    | {
        readonly kind: "hold";
        readonly hold: Hold;
        readonly from: Revision;
        /** Whether its channel does not exist, so that it counts in all of them. */
        readonly isChannelUnknown?: true;
      }
    /** `channel` went down to `to` without a declaration: higher versions count as held. */
    | {
        readonly kind: "decrease";
        readonly channel: ChannelName;
        readonly to: ModuleVersion;
        readonly at: Revision;
      };
}

/** The held period that a decrease by hand causes. */
export interface DecreasePeriod extends HeldPeriod {
  readonly why: Extract<HeldPeriod["why"], { kind: "decrease" }>;
}

/**
 * All periods in which a version of the module may not enter the channel. They come from holds on the channel, on an
 * upstream channel (a version that was withdrawn there goes no further), or on all channels, and from decreases by hand
 * of one of these channels. A decrease of any other channel counts too, unless a hold that came with it names its
 * channels.
 */
export function heldPeriods(place: ChannelPath, history: ModuleHistory): readonly HeldPeriod[] {
  const channels = [...new Set([place.channel.name, ...passedChannels(place)])];
  const holds = history.holds.filter(({ entry }) => entry.channel === undefined || channels.includes(entry.channel));
  const others = [...history.served.keys()].filter((name) => !channels.includes(name));
  const periods = [
    ...holds.map(heldPeriod),
    ...channels.flatMap((name) => decreases(history, name)),
    ...others.flatMap((name) => unexplained(history, name)),
  ];
  // A hold may have ended before its merge, as the one that unhold writes, and the times of a forge may run backwards.
  return periods.filter(({ startMs, endMs }) => startMs < endMs);
}

/** From the merge of an entry to the merge of its removal, but at most to its own end. */
function heldPeriod({ entry, from, to }: DeclaredEntry<Hold>): HeldPeriod {
  const endMs = Math.min(holdEndMs(entry), to?.atMs ?? Number.POSITIVE_INFINITY);
  return { version: entry.version, startMs: from.atMs, endMs, why: { kind: "hold", hold: entry, from } };
}

/**
 * The entries on a channel that does not exist. They block now, and do not change the past: in a former catalogue, the
 * channel may have existed.
 */
export function strayEntries(catalogue: Catalogue, { holds, hotfixes }: ModuleHistory): StrayEntries {
  const isStray = ({ entry, to }: DeclaredEntry<Hold | Hotfix>): boolean =>
    to === undefined && isChannelUnknown(entry.channel, catalogue);
  return { holds: holds.filter(isStray), hotfixes: hotfixes.filter(isStray) };
}

/** The period of a hold on a channel that does not exist. */
export function periodOnUnknown(hold: DeclaredEntry<Hold>): HeldPeriod {
  return { ...heldPeriod(hold), why: { kind: "hold", hold: hold.entry, from: hold.from, isChannelUnknown: true } };
}

/** The periods that count for a channel of the catalogue now. */
export function periodsNow(catalogue: Catalogue, channel: Channel, history: ModuleHistory): readonly HeldPeriod[] {
  const strays = strayEntries(catalogue, history).holds.map(periodOnUnknown);
  return [...heldPeriods(placeIn(catalogue, channel), history), ...strays];
}

/** The periods that contain `nowMs` (Unix milliseconds). */
export function inForce(held: readonly HeldPeriod[], nowMs: number): readonly HeldPeriod[] {
  return held.filter(({ startMs, endMs }) => startMs <= nowMs && endMs > nowMs);
}

/**
 * Decreases by hand that were not lifted. Such a version counts as held in every channel, since no one limited it; a
 * hold that came with the step would name the channels.
 *
 * Takes:  `nowMs` in Unix milliseconds.
 */
export function manualDecreases(history: ModuleHistory, nowMs: number): readonly DecreasePeriod[] {
  return [...history.served.keys()]
    .flatMap((channel) => unexplained(history, channel))
    .filter(({ startMs, endMs }) => startMs <= nowMs && endMs > nowMs);
}

/** The decreases of a channel that came without a hold. */
function unexplained(history: ModuleHistory, channel: ChannelName): readonly DecreasePeriod[] {
  return decreases(history, channel).filter(({ version, why }) => {
    const covering = history.holds.filter(
      ({ entry }) => entry.version === version && (entry.channel === undefined || entry.channel === channel),
    );
    return !covering.some((hold) => stands(hold, why.at));
  });
}

/**
 * The decreases of a channel by hand. One ends when the channel serves the version again, or when a hold on the version
 * is lifted. A version that counts as held already gets no second period: it would end with the first, and a channel
 * that goes up and down would fill the memory.
 */
function decreases(history: ModuleHistory, channel: ChannelName): readonly DecreasePeriod[] {
  // Most channels never go down, and a replay asks about hundreds of states at each of hundreds of moments.
  if (!everFell(history, channel)) return [];
  // A lift for another channel alone does not count for this one.
  const holds = history.holds.filter(({ entry }) => entry.channel === undefined || entry.channel === channel);
  const ofVersion = Map.groupBy(holds, ({ entry }) => entry.version);
  const lifts = new Map(
    [...ofVersion].map(([version, own]) => [version, own.flatMap((hold) => holdLift(hold, own) ?? [])]),
  );
  const served = new Map<ModuleVersion, OpenPeriod[]>();
  let previous: ModuleVersion | undefined;
  return subjectStates(history, channel).flatMap(({ version: to, revision: at }) => {
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
  return subjectStates(history, channel).some(({ version }) => {
    const isDown = isDecrease(previous, version);
    previous = version ?? previous;
    return isDown;
  });
}

/**
 * The merge by which a release manager lifted a hold: an entry was removed, or added with an end at its begin. A hold
 * that expired, even if it was removed then, lifts nothing. Neither does one that a stronger hold replaced: anyone may
 * do that.
 */
function holdLift(hold: DeclaredEntry<Hold>, ofVersion: readonly DeclaredEntry<Hold>[]): Revision | undefined {
  const { entry, from, to } = hold;
  if (isLift(entry)) return from;
  if (to === undefined || to.atMs >= holdEndMs(entry)) return undefined;
  return ofVersion.some((other) => isAsStrong(other.entry, entry) && stands(other, to)) ? undefined : to;
}

/** Whether an entry is in the files after a merge. */
function stands({ from, to }: DeclaredEntry<Hold>, { index }: Revision): boolean {
  return from.index <= index && (to === undefined || to.index > index);
}

/** A period that ends when the channel serves the version again. */
type OpenPeriod = { -readonly [Key in keyof DecreasePeriod]: DecreasePeriod[Key] };

/** Opens a period for each version above the one that the channel went down to; `served` has the open periods. */
function fall(
  served: ReadonlyMap<ModuleVersion, OpenPeriod[]>,
  lifts: ReadonlyMap<ModuleVersion, readonly Revision[]>,
  why: DecreasePeriod["why"],
): readonly DecreasePeriod[] {
  const { index, atMs } = why.at;
  return [...served].flatMap(([version, open]) => {
    const isHeld = open.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
    if (isHeld || compareVersions(version, why.to) <= 0) return [];
    // Two merges may happen in one second: their order counts.
    const lifted = (lifts.get(version) ?? []).filter((lift) => lift.index >= index).map((lift) => lift.atMs);
    const period: OpenPeriod = { version, startMs: atMs, endMs: Math.min(Number.POSITIVE_INFINITY, ...lifted), why };
    open.push(period);
    return [period];
  });
}
