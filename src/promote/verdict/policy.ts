import { durationMs, type Level, type PromotionFile } from "../../catalogue/policy.ts";
import type { Calendar, Freeze, StatedBy, WindowSet } from "./calendar.ts";
import type { Subject } from "./subject.ts";
import { endOfSecondMs, startOfSecondMs } from "../../document/times.ts";

/** Evidence that a policy may demand by name. */
type Need = NonNullable<PromotionFile["needs"]>[number];

/** The demands on a version of one module before one channel serves it. */
export interface Policy {
  /** How long the followed channel must have served it; 0 if no time is needed. */
  readonly soakMs: Readonly<Record<Level, number>>;
  /** In alphabetical order, without duplicates. */
  readonly needs: readonly Need[];
  /** `undefined`: no exposure is demanded. 0 for a measure that is not demanded. */
  readonly exposure: { readonly clusters: number; readonly healthyHours: number } | undefined;
  /** By how much the share of unhealthy clusters may grow: a ratio from 0 to 1. `undefined`: not compared. */
  readonly health: { readonly notWorseBy: number } | undefined;
  readonly calendar: Calendar;
  readonly merge: "automatic" | "review";
}

/** The effective policy for a subject. */
export function policyFor({ channel, said }: Pick<Subject, "channel" | "said">): Policy {
  return promotionPolicy(channel.promotion, said?.says.policy?.[channel.name]);
}

/**
 * The effective policy for one module in one channel: the stricter one of each demand.
 *
 * A module may only tighten the policy, as `check` enforces; a weaker demand has no effect here. So the windows of both
 * must be open, the freezes of both apply, and a merge is automatic only if the channel says `automatic`.
 */
export function promotionPolicy(channel: PromotionFile, override: PromotionFile | undefined): Policy {
  const module = override ?? {};
  const both = [channel, module];
  // `0.5%` is 0.005.
  const ratios = both.flatMap(({ health }) =>
    health === undefined ? [] : Number(health.notWorseBy.slice(0, -1)) / 100,
  );
  return {
    soakMs: {
      patch: soakMs(both, "patch"),
      minor: soakMs(both, "minor"),
      major: soakMs(both, "major"),
      first: soakMs(both, "first"),
    },
    needs: (["approval", "smoke"] as const).filter((need) => both.some((file) => file.needs?.includes(need))),
    exposure: exposureDemand(both),
    health: ratios.length === 0 ? undefined : { notWorseBy: Math.min(...ratios) },
    calendar: {
      windowSets: [...windowSets(channel, "channel"), ...windowSets(module, "module")],
      freezes: [...policyFreezes(channel, "channel"), ...policyFreezes(module, "module")],
    },
    merge: channel.merge === "automatic" && module.merge !== "review" ? "automatic" : "review",
  };
}

function soakMs(files: readonly PromotionFile[], level: Level): number {
  return Math.max(...files.map(({ soak }) => durationMs(soak?.[level] ?? "0s")));
}

function exposureDemand(files: readonly PromotionFile[]): Policy["exposure"] {
  const stated = files.flatMap(({ exposure }) => exposure ?? []);
  if (stated.length === 0) return undefined;
  return {
    clusters: Math.max(...stated.map(({ clusters = 0 }) => clusters)),
    healthyHours: Math.max(...stated.map(({ healthyHours = 0 }) => healthyHours)),
  };
}

function windowSets({ windows = [] }: PromotionFile, statedBy: StatedBy): readonly WindowSet[] {
  return windows.length === 0 ? [] : [{ statedBy, windows }];
}

function policyFreezes({ freezes = [] }: PromotionFile, statedBy: StatedBy): readonly Freeze[] {
  return freezes.map(({ from, until, reason }, index) => ({
    // Verdicts tell seconds.
    fromMs: startOfSecondMs(Date.parse(from)),
    untilMs: endOfSecondMs(Date.parse(until)),
    reason,
    statedBy,
    index,
  }));
}
