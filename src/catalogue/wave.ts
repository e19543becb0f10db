import type { Channel } from "./catalogue.ts";
import type { LandscapeName } from "./names.ts";
import { durationMs } from "./policy.ts";
import { DEFAULT_DEADLINE, type Landscape } from "./settings.ts";

/** The wait of an entry before it reaches a landscape. Milliseconds. */
interface WaveStep {
  /** The nearest earlier landscape that serves the channel. */
  readonly landscape: LandscapeName;
  /** The time that the entry stays there: the sum of the soaks, also of skipped landscapes. */
  readonly soakMs: number;
  /** The same for a declared hot-fix. */
  readonly hotfixSoakMs: number;
}

/** The wave by which a channel, with the landscapes `serving`, reaches one of them; `undefined`: it comes at once. */
export function waveInto(
  name: LandscapeName,
  serving: readonly LandscapeName[],
  landscapes: readonly Landscape[],
): WaveStep | undefined {
  const after = landscapes.find((one) => one.name === name)?.after;
  if (after === undefined) return undefined;
  const { landscape, soakMs, hotfixSoakMs } = after;
  if (serving.includes(landscape)) return { landscape, soakMs, hotfixSoakMs };
  const before = waveInto(landscape, serving, landscapes);
  return before && { ...before, soakMs: before.soakMs + soakMs, hotfixSoakMs: before.hotfixSoakMs + hotfixSoakMs };
}

/** The minimum time between the merge of an entry and its arrival in the last landscape of its channel. Milliseconds. */
export interface Shift {
  readonly ms: number;
  /** The same for a declared hot-fix. */
  readonly hotfixMs: number;
}

/** The sum of the soaks of the waves along the longest path. */
export function channelShift(channel: Channel, landscapes: readonly Landscape[]): Shift {
  const shifts = channel.landscapes.map((name) => shiftTo(name, channel, landscapes));
  return {
    ms: Math.max(0, ...shifts.map(({ ms }) => ms)),
    hotfixMs: Math.max(0, ...shifts.map(({ hotfixMs }) => hotfixMs)),
  };
}

/** Terminates, since the rule landscape-after refuses a landscape that comes after itself. */
function shiftTo(name: LandscapeName, channel: Channel, landscapes: readonly Landscape[]): Shift {
  const step = waveInto(name, channel.landscapes, landscapes);
  if (step === undefined) return { ms: 0, hotfixMs: 0 };
  const before = shiftTo(step.landscape, channel, landscapes);
  return { ms: before.ms + step.soakMs, hotfixMs: before.hotfixMs + step.hotfixSoakMs };
}

/**
 * How long an upgrade may take on a cluster of a landscape, as the landscapes after it say: the shortest. Milliseconds.
 * `undefined` settings: not known yet.
 */
export function deadlineIn(
  landscape: string,
  settings: { readonly landscapes: readonly Landscape[] } | undefined,
): number {
  const deadlines = (settings?.landscapes ?? []).flatMap(({ after }) =>
    after?.landscape === landscape ? [after.deadlineMs] : [],
  );
  return deadlines.length === 0 ? durationMs(DEFAULT_DEADLINE) : Math.min(...deadlines);
}
