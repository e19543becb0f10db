import { durationMs, type Level, type PromotionFile } from "./policy.ts";
import type { YamlPath } from "../document/yaml/tree.ts";

/** One demand of a module's policy that is, or may be, weaker than that of its channel. */
export interface Weakness {
  /** The place in the module's policy for the channel. */
  readonly path: YamlPath;
  /** The demand of the channel; part of a sentence. */
  readonly demanded: string;
  /** Whether it is certainly weaker; different windows cannot be compared. */
  readonly isCertain: boolean;
}

/**
 * The demands of `override` that are weaker than those of the channel, so that they have no effect. Demands that it
 * leaves out are the channel's; needs and freezes add to those of the channel, and are never weaker.
 */
export function weaknesses(channel: PromotionFile, override: PromotionFile): readonly Weakness[] {
  return [
    ...soakWeaknesses(channel, override),
    ...exposureWeaknesses(channel, override),
    ...healthWeaknesses(channel, override),
    ...windowWeaknesses(channel, override),
    ...(channel.lines === "previous-first" && override.lines === "any" ? [weaker(["lines"], "previous-first")] : []),
    ...(channel.merge === "review" && override.merge === "automatic" ? [weaker(["merge"], "review")] : []),
  ];
}

function weaker(path: YamlPath, demanded: string): Weakness {
  return { path, demanded, isCertain: true };
}

const LEVELS: readonly Level[] = ["first", "major", "minor", "patch"];

function soakWeaknesses({ soak = {} }: PromotionFile, override: PromotionFile): readonly Weakness[] {
  return LEVELS.flatMap((level) => {
    const [wanted, given] = [soak[level], override.soak?.[level]];
    if (wanted === undefined || given === undefined || durationMs(given) >= durationMs(wanted)) return [];
    return [weaker(["soak", level], wanted)];
  });
}

function exposureWeaknesses({ exposure = {} }: PromotionFile, override: PromotionFile): readonly Weakness[] {
  return (["clusters", "healthyHours"] as const).flatMap((measure) => {
    const [wanted, given] = [exposure[measure], override.exposure?.[measure]];
    if (wanted === undefined || given === undefined || given >= wanted) return [];
    return [weaker(["exposure", measure], String(wanted))];
  });
}

function healthWeaknesses({ health }: PromotionFile, override: PromotionFile): readonly Weakness[] {
  if (health === undefined || override.health === undefined) return [];
  if (Number.parseFloat(override.health.notWorseBy) <= Number.parseFloat(health.notWorseBy)) return [];
  return [weaker(["health", "notWorseBy"], health.notWorseBy)];
}

/** Windows with different texts are not compared, since the opening times of a cron expression depend on the calendar. */
function windowWeaknesses({ windows }: PromotionFile, override: PromotionFile): readonly Weakness[] {
  if (windows === undefined) return [];
  const known = new Set(windows.map(windowText));
  return (override.windows ?? []).flatMap((window, index) =>
    known.has(windowText(window))
      ? []
      : [{ path: ["windows", index], demanded: [...known].join("; "), isCertain: false }],
  );
}

function windowText({ opens, for: duration, timeZone }: NonNullable<PromotionFile["windows"]>[number]): string {
  return `${opens} for ${duration} (${timeZone})`;
}
