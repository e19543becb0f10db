import { printableJson } from "../check/report/printable.ts";
import { explainChange } from "../promote/simulate/explain.ts";
import type { JudgedChange, Lead, LevelTotals, ModuleReplay, Simulation } from "../promote/simulate/simulation.ts";
import type { Timeline } from "../promote/simulate/timeline.ts";
import { instantText } from "../promote/verdict/text.ts";
import { jsonDocument } from "./output.ts";
import type { SimulationReport } from "./reportSimulate.ts";

/** schemas/output/simulate.schema.json. */
export function simulationJson(report: SimulationReport): string {
  const { simulation, timeline, revision, decidedAt } = report;
  const items = [
    replayedItem(report),
    ...simulation.totals.map(totalItem),
    ...simulation.replays.flatMap((replay) => replayItems(replay, timeline)),
    ...timeline.gaps.map(({ startMs, endMs, commit }) => ({
      kind: "gap",
      from: instantText(startMs),
      until: instantText(endMs),
      commit,
    })),
    ...timeline.findings.map((finding) => ({ kind: "finding", ...finding })),
  ];
  return printableJson(jsonDocument("Simulation", { revision, decidedAt }, items));
}

function replayedItem({ simulation, timeline, policies }: SimulationReport): object {
  const { fromMs, untilMs, assumptions }: Simulation = simulation;
  return {
    kind: "replayed",
    source: timeline.source,
    policies,
    from: instantText(fromMs),
    until: instantText(untilMs),
    assumptions,
  };
}

function totalItem({ level, real, policy, ...counts }: LevelTotals): object {
  return { kind: "total", level, real: leadItem(real), policy: leadItem(policy), ...counts };
}

function leadItem({ count, quartilesMs }: Lead): object {
  return { count, leadSeconds: quartilesMs?.map(seconds) ?? null };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

function replayItems(replay: ModuleReplay, timeline: Timeline): readonly object[] {
  const { module, channel, follows } = replay;
  const about = { module, channel, follows };
  return [
    ...replay.changes.map((change) => ({ kind: "change", ...about, ...changeItem(change, replay, timeline) })),
    ...replay.promotions.map(({ from, to, level, atMs, leadMs, reallyAtMs }) => ({
      kind: "promotion",
      ...about,
      at: instantText(atMs),
      from: from ?? null,
      to,
      level,
      leadSeconds: seconds(leadMs),
      reallyAt: reallyAtMs === undefined ? null : instantText(reallyAtMs),
    })),
    ...replay.passedOver.map(({ version, level, kind, reasons }) => ({
      kind: "passed-over",
      ...about,
      version,
      level,
      outcome: kind,
      reasons,
    })),
  ];
}

function changeItem(change: JudgedChange, replay: ModuleReplay, { gaps }: Timeline): object {
  const { revision, from, to, followed, how, judgement } = change;
  return {
    at: instantText(revision.atMs),
    commit: revision.commit,
    from: from ?? null,
    to: to ?? null,
    followed: followed ?? null,
    how: how.kind,
    level: "level" in how ? how.level : null,
    leadSeconds: how.kind === "promotion" ? seconds(how.leadMs) : null,
    judgement: judgement === undefined ? null : judgementItem(judgement, revision.atMs),
    explanation: explainChange(change, replay, gaps),
  };
}

function judgementItem({ kind, allowedAtMs, reasons }: NonNullable<JudgedChange["judgement"]>, atMs: number): object {
  return {
    kind,
    allowedAt: allowedAtMs === undefined ? null : instantText(allowedAtMs),
    secondsLater: allowedAtMs === undefined ? null : seconds(allowedAtMs - atMs),
    reasons,
  };
}
