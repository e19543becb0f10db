import type { ModuleVersion } from "../../catalogue/version.ts";
import { endOfSecondMs } from "../../document/times.ts";
import type { ReadyPeriod, Service } from "./interval.ts";
import { isUnmet, type Reason } from "./verdict.ts";

/**
 * The period in which all demands on a version are met, as far as time decides; `undefined` if more is missing.
 *
 * Takes:  the services that count for it; `untilMs`, the last instant at which its evidence counts. Unix milliseconds.
 */
export function readyPeriod(
  version: ModuleVersion,
  demands: readonly Reason[],
  services: readonly Service[],
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): ReadyPeriod | undefined {
  const unmet = demands.filter(isUnmet);
  if (unmet.some(({ metAtMs }) => metAtMs === undefined)) return undefined;
  const soaks = demands.filter(({ topic }) => topic === "soak");
  return {
    startMs: Math.max(...(unmet.length === 0 ? [nowMs] : unmet.map(({ metAtMs = nowMs }) => endOfSecondMs(metAtMs)))),
    endMs: untilMs + 1,
    // Without soak, that is when the followed channel first served it.
    earnedMs: Math.max(
      Math.min(...services.filter((one) => one.version === version).map(({ startMs }) => startMs)),
      ...soaks.map(({ metAtMs = Number.NEGATIVE_INFINITY }) => metAtMs),
    ),
  };
}
