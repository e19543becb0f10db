import { printable, printableJson } from "../../document/printable.ts";
import { accountOf, type SimulationReport, type Table } from "../../promote/simulate/account.ts";
import type { PromotionChange } from "../../promote/simulate/changes.ts";
import { explainChange } from "../../promote/simulate/explain.ts";
import type { AccountSection } from "../../promote/simulate/sections.ts";
import type {
  JudgedChange,
  LevelTotals,
  ModuleReplay,
  PolicyJudgement,
  Quartiles,
  Simulation,
} from "../../promote/simulate/simulation.ts";
import type { Gap } from "../../promote/simulate/replayInput.ts";
import { instantText } from "../../document/times.ts";
import { jsonDocument, type Output, table } from "../terminal/output.ts";

/** The longest list in the text report. The other formats have all of it. */
const MOST_LINES = 60;

/** The totals, and the differences between history and policy. */
export function simulationText(report: SimulationReport, output: Output): string {
  const { title, facts, tables, sections } = accountOf(report);
  return [
    output.paint("strong", printable(title)),
    ...facts.map(({ name, text }) => `${name}: ${printable(text)}`),
    ...tables.flatMap((one) => tableLines(one, output)),
    ...sections.flatMap((section) => sectionLines(section, output)),
  ].join("\n");
}

function tableLines({ title, header, rows }: Table, output: Output): readonly string[] {
  const names = header.map((name) => name.toUpperCase());
  return ["", output.paint("strong", title), table(names, rows, output)];
}

function sectionLines({ title, entries }: AccountSection, output: Output): readonly string[] {
  const more = entries.length - MOST_LINES;
  return [
    "",
    output.paint("strong", `${title} (${String(entries.length)})`),
    ...entries
      .slice(0, MOST_LINES)
      .map(({ atMs, subject, step, text }) => `  ${instantText(atMs)}  ${printable(`${subject} ${step}: ${text}`)}`),
    ...(more > 0 ? [`  … and ${String(more)} more: --format json, or html=FILE`] : []),
  ];
}

/** schemas/output/simulate.schema.json. */
export function simulationJson(report: SimulationReport): string {
  const { simulation, input, revision, decidedAt } = report;
  const items = [
    replayedItem(report),
    ...simulation.totals.map(totalItem),
    ...simulation.replays.flatMap((replay) => replayItems(replay)),
    ...input.gaps.map((gap) => ({ kind: "gap", ...spanOf(gap), commit: gap.commit })),
    ...input.findings.map((finding) => ({ kind: "finding", ...finding })),
  ];
  return printableJson(jsonDocument("Simulation", { revision, decidedAt }, items));
}

function replayedItem({ simulation, input, policies }: SimulationReport): object {
  const { fromMs, untilMs, assumptions }: Simulation = simulation;
  return {
    kind: "replayed",
    source: input.source,
    policies,
    from: instantText(fromMs),
    until: instantText(untilMs),
    assumptions,
  };
}

/** The milliseconds of a gap as instants. */
function spanOf({ startMs, endMs }: Gap): { readonly from: string; readonly until: string } {
  return { from: instantText(startMs), until: instantText(endMs) };
}

function totalItem({ level, real, policy }: LevelTotals): object {
  return { kind: "total", level, real: leadInSeconds(real), policy: leadInSeconds(policy) };
}

function leadInSeconds({ leadMs, ...counts }: { readonly leadMs: Quartiles | undefined }): object {
  return { ...counts, leadSeconds: leadMs?.map(seconds) ?? null };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

function replayItems(replay: ModuleReplay): readonly object[] {
  const { module, channel, follows } = replay;
  const about = { module, channel, follows };
  return [
    ...replay.changes.map((change) => ({ kind: "change", ...about, ...changeItem(change, replay) })),
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
    ...replay.passedOver.map(({ version, level, sinceMs, blockedSinceMs, kind, reasons }) => ({
      kind: "passed-over",
      ...about,
      version,
      level,
      since: instantText(sinceMs),
      blockedSince: blockedSinceMs === undefined ? null : instantText(blockedSinceMs),
      outcome: kind,
      reasons,
    })),
  ];
}

function changeItem(change: JudgedChange, replay: ModuleReplay): object {
  const { revision, from, to, followed, how, undated, judgement } = change;
  return {
    at: instantText(revision.atMs),
    commit: revision.commit,
    from: from ?? null,
    to: to ?? null,
    followed: followed ?? null,
    how: how.kind,
    level: "level" in how ? how.level : null,
    leadSeconds: leadOf(how),
    gap: undated === undefined ? null : { channel: undated.channel, ...spanOf(undated.gap) },
    judgement: judgement === undefined ? null : judgementItem(judgement, revision.atMs),
    explanation: explainChange(change, replay),
  };
}

function leadOf(how: PromotionChange["how"]): number | null {
  return how.kind === "promotion" && how.leadMs !== undefined ? seconds(how.leadMs) : null;
}

function judgementItem({ kind, allowedAtMs, reasons }: PolicyJudgement, atMs: number): object {
  return {
    kind,
    allowedAt: allowedAtMs === undefined ? null : instantText(allowedAtMs),
    secondsLater: allowedAtMs === undefined ? null : seconds(allowedAtMs - atMs),
    reasons,
  };
}
