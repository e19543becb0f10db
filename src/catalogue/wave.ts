import type { LandscapeName } from "./names.ts";
import type { Landscape } from "./settings.ts";

/** What an entry waits for before it comes into a landscape. Milliseconds. */
export interface WaveStep {
  /** The nearest earlier landscape that serves the channel. */
  readonly landscape: LandscapeName;
  /** How long the entry stays there: the soaks of landscapes that are passed add up. */
  readonly soakMs: number;
  /** The same for a declared hot-fix. */
  readonly hotfixSoakMs: number;
}

/** The wave by which a channel with these landscapes comes into one of them; `undefined`: it comes at once. */
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

/** How much later than its merge an entry reaches the last landscape of a channel, at the earliest: the soaks of the longest way. */
export function longestSoakMs(serving: readonly LandscapeName[], landscapes: readonly Landscape[]): number {
  return Math.max(0, ...serving.map((name) => soakUntilMs(name, serving, landscapes)));
}

/** The catalogue has no landscape after itself: the rule landscape-after refuses it. */
function soakUntilMs(name: LandscapeName, serving: readonly LandscapeName[], landscapes: readonly Landscape[]): number {
  const step = waveInto(name, serving, landscapes);
  return step === undefined ? 0 : step.soakMs + soakUntilMs(step.landscape, serving, landscapes);
}
