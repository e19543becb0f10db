import { printable } from "../check/report/printable.ts";
import { deviationsOf, type ReplayedChange } from "../promote/simulate/deviations.ts";
import { explainChange, leadText } from "../promote/simulate/explain.ts";
import type { LevelTotals, Simulation } from "../promote/simulate/simulation.ts";
import type { Gap, Timeline } from "../promote/simulate/timeline.ts";
import { durationText, instantText } from "../promote/verdict/text.ts";
import type { Output } from "./output.ts";
import { table } from "./table.ts";

/** A simulation, and what it was made of. */
export interface SimulationReport {
  readonly simulation: Simulation;
  readonly timeline: Timeline;
  /** The files with the policies that were tried, for people. */
  readonly policies: readonly string[];
  /** The commit of the history; `undefined` where a table was replayed. */
  readonly revision: string | undefined;
  /** Unix milliseconds. */
  readonly decidedAt: number;
}

/** As much of a list as a person reads; all of it is in the other formats. */
const MOST_LINES = 60;

/** The totals, and where history and policy part. */
export function simulationText(report: SimulationReport, output: Output): string {
  const { simulation, timeline } = report;
  const { early, never, closed, policyOnly, hotfixes, downgrades, unknown } = deviationsOf(simulation);
  const changes = (title: string, list: readonly ReplayedChange[]): readonly string[] =>
    section(
      title,
      list.map((one) => changeLine(one, timeline.gaps)),
      output,
    );
  const made = policyOnly.map(
    ({ replay, promotion: { from = "nothing", to, level, atMs, leadMs } }) =>
      `${instantText(atMs)}  ${replay.channel}/${replay.module} ${from} → ${to} (${level}), ${durationText(leadMs)} after ${replay.follows}`,
  );
  return [
    ...headLines(report),
    "",
    totalsTable(simulation.totals, output),
    ...changes("Sooner than the policy", early),
    ...changes("Never by the policy", never),
    ...changes("At a moment at which the policy lets nothing through", closed),
    ...section("Only by the policy", made, output),
    ...changes("Hot-fixes", hotfixes),
    ...changes("Downgrades", downgrades),
    ...changes("Not seen in the followed channel before", unknown),
  ].join("\n");
}

function headLines({ simulation, timeline, policies }: SimulationReport): readonly string[] {
  const { fromMs, untilMs, assumptions, replays } = simulation;
  const modules = new Set(replays.map(({ module }) => module)).size;
  return [
    `${printable(timeline.source)} under ${policies.map(printable).join(", ")}: ${String(modules)} modules, ${instantText(fromMs)} to ${instantText(untilMs)}`,
    ...assumptions.map((sentence) => `assumed: ${sentence}`),
    ...timeline.gaps.filter(({ endMs }) => endMs > fromMs).map(gapLine),
  ];
}

function gapLine({ startMs, endMs }: Gap): string {
  return `gap: nobody looked from ${instantText(startMs)} to ${instantText(endMs)} (${durationText(endMs - startMs)}); what changed is dated to its end`;
}

/** One row a level. */
function totalsTable(totals: readonly LevelTotals[], output: Output): string {
  const header = ["LEVEL", "REALLY", "LEAD TIME", "POLICY", "LEAD TIME", "SOONER", "NEVER", "BLOCKED", "NOT PROMOTED"];
  const rows = totals.map(({ level, real, policy, early, never, blocked, neverPromoted }) => [
    level,
    String(real.count),
    leadText(real),
    String(policy.count),
    leadText(policy),
    String(early),
    String(never),
    String(blocked),
    `${String(neverPromoted.real)} really, ${String(neverPromoted.policy)} by policy`,
  ]);
  return table(header, rows, output);
}

function section(title: string, lines: readonly string[], output: Output): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST_LINES;
  return [
    "",
    output.paint("strong", `${title} (${String(lines.length)})`),
    ...lines.slice(0, MOST_LINES).map((line) => `  ${printable(line)}`),
    ...(more > 0 ? [`  … and ${String(more)} more: --format json, or html=FILE`] : []),
  ];
}

function changeLine({ replay, change }: ReplayedChange, gaps: readonly Gap[]): string {
  const { revision, from = "nothing", to = "nothing" } = change;
  const step = `${replay.channel}/${replay.module} ${from} → ${to}`;
  return `${instantText(revision.atMs)}  ${step}: ${explainChange(change, replay, gaps)}`;
}
