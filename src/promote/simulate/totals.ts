import type { Level } from "../../catalogue/policy.ts";
import type { LevelTotals, ModuleReplay, PolicyTotals, Quartiles, RealTotals } from "./simulation.ts";

/** The levels in the order in which they are shown. */
const LEVELS: readonly Level[] = ["first", "patch", "minor", "major"];

/** What `replays` add up to, level by level; a level that nothing was of is left out. */
export function totalsOf(replays: readonly ModuleReplay[]): readonly LevelTotals[] {
  return LEVELS.map((level) => ({
    level,
    real: realTotals(level, replays),
    policy: policyTotals(level, replays),
  })).filter(({ real, policy }) => real.promoted + policy.promoted + real.notPromoted + policy.notPromoted > 0);
}

function realTotals(level: Level, replays: readonly ModuleReplay[]): RealTotals {
  const promotions = replays
    .flatMap(({ changes }) => changes)
    .flatMap(({ how, judgement }) => (how.kind === "promotion" && how.level === level ? [{ how, judgement }] : []));
  const judged = Map.groupBy(promotions, ({ judgement }) => judgement?.kind ?? "undated");
  const count = (kind: Parameters<typeof judged.get>[0]): number => judged.get(kind)?.length ?? 0;
  return {
    promoted: promotions.length,
    leadMs: quartilesOf(promotions.flatMap(({ how }) => how.leadMs ?? [])),
    allowed: count("allowed"),
    closed: count("closed"),
    early: count("early"),
    never: count("never"),
    undated: count("undated"),
    notPromoted: replays.flatMap(({ reallyPassedOver }) => reallyPassedOver).filter((one) => one.level === level)
      .length,
  };
}

function policyTotals(level: Level, replays: readonly ModuleReplay[]): PolicyTotals {
  const promotions = replays.flatMap((replay) => replay.promotions).filter((one) => one.level === level);
  const over = replays.flatMap(({ passedOver }) => passedOver).filter((one) => one.level === level);
  return {
    promoted: promotions.length,
    leadMs: quartilesOf(promotions.map(({ leadMs }) => leadMs)),
    notPromoted: over.length,
    blocked: over.filter(({ kind }) => kind === "blocked").length,
  };
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
