import type { Level } from "../../catalogue/policy.ts";
import type { Lead, LevelTotals, ModuleReplay, Quartiles } from "./simulation.ts";

/** The levels in the order in which they are shown. */
const LEVELS: readonly Level[] = ["first", "patch", "minor", "major"];

/** What `replays` add up to, level by level; a level that nothing was of is left out. */
export function totalsOf(replays: readonly ModuleReplay[]): readonly LevelTotals[] {
  return LEVELS.map((level) => totalsAt(level, replays)).filter(
    ({ real, policy, neverPromoted }) => real.count + policy.count + neverPromoted.real + neverPromoted.policy > 0,
  );
}

function totalsAt(level: Level, replays: readonly ModuleReplay[]): LevelTotals {
  const real = replays
    .flatMap(({ changes }) => changes)
    .flatMap(({ how, judgement }) => (how.kind === "promotion" && how.level === level ? [{ ...how, judgement }] : []));
  const policy = replays.flatMap(({ promotions }) => promotions.filter((one) => one.level === level));
  const over = replays.flatMap((replay) => replay.passedOver.filter((one) => one.level === level));
  const reallyOver = replays.flatMap((replay) => replay.reallyPassedOver.filter((one) => one.level === level));
  return {
    level,
    real: leadOf(real),
    policy: leadOf(policy),
    early: real.filter(({ judgement }) => judgement?.kind === "early").length,
    never: real.filter(({ judgement }) => judgement?.kind === "never").length,
    blocked: over.filter(({ kind }) => kind === "blocked").length,
    neverPromoted: { real: reallyOver.length, policy: over.length },
  };
}

function leadOf(promotions: readonly { readonly leadMs: number }[]): Lead {
  return { count: promotions.length, quartilesMs: quartilesOf(promotions.map(({ leadMs }) => leadMs)) };
}

/** The quartiles of `values`, interpolated between neighbours as spreadsheets do (inclusive); `undefined` of none. */
export function quartilesOf(values: readonly number[]): Quartiles | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const at = (part: number): number => {
    const place = (sorted.length - 1) * part;
    const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    return low + (high - low) * (place - Math.floor(place));
  };
  return [at(0.25), at(0.5), at(0.75)];
}
