import type { Channel } from "../../catalogue/catalogue.ts";
import type { LandscapeName } from "../../catalogue/names.ts";
import type { Landscape } from "../../catalogue/settings.ts";

/** How much later than its merge an entry reaches the last landscape of its channel, at the earliest. Milliseconds. */
export interface Shift {
  readonly ms: number;
  /** The same for a declared hot-fix. */
  readonly hotfixMs: number;
}

/** The soaks of the waves, added up along the longest way; a landscape that does not serve the channel is passed. */
export function shiftOf(channel: Channel, landscapes: readonly Landscape[]): Shift {
  const byName = new Map(landscapes.map((landscape) => [landscape.name, landscape]));
  const shifts = channel.landscapes.map((name) => shiftTo(name, byName));
  return {
    ms: Math.max(0, ...shifts.map(({ ms }) => ms)),
    hotfixMs: Math.max(0, ...shifts.map(({ hotfixMs }) => hotfixMs)),
  };
}

/** The catalogue has no landscape after itself: the rule landscape-after refuses it. */
function shiftTo(name: LandscapeName, landscapes: ReadonlyMap<LandscapeName, Landscape>): Shift {
  const after = landscapes.get(name)?.after;
  if (after === undefined) return { ms: 0, hotfixMs: 0 };
  const before = shiftTo(after.landscape, landscapes);
  return { ms: before.ms + after.soakMs, hotfixMs: before.hotfixMs + after.hotfixSoakMs };
}
