import { compareVersions } from "../../../src/catalogue/version.ts";
import { instant, version, type Merge } from "./timeline.ts";

/**
 * The rules of .github/docs/promotion.md on clocks and holds, written hour by hour: for histories in which everything
 * happens at full hours and nothing runs backwards, without waves.
 */
export interface Hours {
  /** The number of hours before `hour` in which fast served a version that `counts` and that was not held. */
  readonly served: (counts: (text: string) => boolean, hour: number) => number;
  readonly isHeld: (text: string, hour: number) => boolean;
}

/** The hour of a merge, counted from the beginning. */
export const hourOf = ({ at }: Merge): number => Math.round(at * 24);

/** The hours after these merges, in order. */
export function hoursOf(merges: readonly Merge[]): Hours {
  const isHeld = (text: string, hour: number): boolean => {
    const before = merges.filter((merge) => hourOf(merge) <= hour);
    return (
      before.some((_, index) => isHeldBy(before.slice(index), text, hour)) ||
      isDown(before, text, "fast") ||
      isDown(before, text, "regular")
    );
  };
  const last = Math.max(...merges.map(hourOf));
  const counted = Array.from({ length: last + 1 }, (_, hour) => {
    const text = merges.findLast((merge) => merge.fast !== undefined && hourOf(merge) <= hour)?.fast ?? undefined;
    return text === undefined || isHeld(text, hour) ? undefined : text;
  });
  const servedAt = (hour: number): string | undefined => {
    if (hour <= last) return counted[hour];
    const text = merges.findLast(({ fast }) => fast !== undefined)?.fast ?? undefined;
    return text === undefined || isHeld(text, hour) ? undefined : text;
  };
  return {
    served: (counts, hour) =>
      Array.from({ length: hour }, (_, index) => servedAt(index)).filter((text) => text !== undefined && counts(text))
        .length,
    isHeld,
  };
}

/** Whether the entry of the first of `merges` holds a version; later merges may remove it. */
function isHeldBy([first, ...later]: readonly Merge[], text: string, hour: number): boolean {
  if (first?.hold?.version !== text) return false;
  const isGone = later.some(({ unhold }) => unhold === text);
  return !isGone && endOf(first.hold) > hour;
}

type Hold = NonNullable<Merge["hold"]>;

/** The hour at which a hold ends by itself. */
function endOf({ until }: Hold): number {
  return until === undefined ? Infinity : (Date.parse(until) - Date.parse(instant(0))) / 3_600_000;
}

/** Whether the channel went down past a version that did not come back since, without a lift. */
function isDown(merges: readonly Merge[], text: string, channel: "fast" | "regular"): boolean {
  let falls: number[] = [];
  let current: string | undefined;
  let wasServed = false;
  for (const [index, merge] of merges.entries()) {
    const to = merge[channel];
    if (typeof to !== "string") continue;
    if (to === text) falls = [];
    const isFall = current !== undefined && compareVersions(version(current), version(to)) > 0;
    if (isFall && wasServed && compareVersions(version(text), version(to)) > 0) falls.push(index);
    wasServed ||= to === text;
    current = to;
  }
  return falls.some((fall) => !liftsOf(merges, text, channel).some((lift) => lift >= fall));
}

/**
 * The indexes of the merges that removed a hold on the channel or on all before its time, without a replacement of the
 * same strength, or that brought an entry which ends as it begins: all of them begin on day 0.
 */
function liftsOf(merges: readonly Merge[], text: string, channel: string): readonly number[] {
  let standing: readonly Hold[] = [];
  return merges.flatMap((merge, index) => {
    const hour = hourOf(merge);
    const gone = merge.unhold === text ? standing : [];
    const come = isAbout(merge.hold, text, channel) ? merge.hold : undefined;
    if (merge.unhold === text) standing = [];
    if (come !== undefined && endOf(come) > 0) standing = [...standing, come];
    const isLifted = gone.some((hold) => endOf(hold) > hour && !(come && isAsStrong(come, hold)));
    return isLifted || (come !== undefined && endOf(come) === 0) ? [index] : [];
  });
}

function isAbout(hold: Hold | undefined, text: string, channel: string): boolean {
  return hold?.version === text && (hold.channel ?? channel) === channel;
}

function isAsStrong(a: Hold, b: Hold): boolean {
  return (a.channel === undefined || a.channel === b.channel) && endOf(a) >= endOf(b);
}
