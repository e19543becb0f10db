import type { Channel } from "../../catalogue/catalogue.ts";
import type { LandscapeName } from "../../catalogue/names.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { waveInto } from "../../catalogue/wave.ts";

/** How much later than its merge an entry reaches the last landscape of its channel, at the earliest. Milliseconds. */
export interface Shift {
  readonly ms: number;
  /** The same for a declared hot-fix. */
  readonly hotfixMs: number;
}

/** The soaks of the waves, added up along the longest way. */
export function shiftOf(channel: Channel, landscapes: readonly Landscape[]): Shift {
  const shifts = channel.landscapes.map((name) => shiftTo(name, channel, landscapes));
  return {
    ms: Math.max(0, ...shifts.map(({ ms }) => ms)),
    hotfixMs: Math.max(0, ...shifts.map(({ hotfixMs }) => hotfixMs)),
  };
}

/** The catalogue has no landscape after itself: the rule landscape-after refuses it. */
function shiftTo(name: LandscapeName, channel: Channel, landscapes: readonly Landscape[]): Shift {
  const step = waveInto(name, channel.landscapes, landscapes);
  if (step === undefined) return { ms: 0, hotfixMs: 0 };
  const before = shiftTo(step.landscape, channel, landscapes);
  return { ms: before.ms + step.soakMs, hotfixMs: before.hotfixMs + step.hotfixSoakMs };
}
