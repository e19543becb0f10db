import { counted } from "../../document/counted.ts";
import type { ChannelName } from "../../catalogue/names.ts";
import { durationText, instantText, startOfSecondMs } from "../../document/times.ts";
import { simulationSections, type AccountSection } from "./sections.ts";
import { quartilesText } from "./explain.ts";
import type { LevelTotals, Simulation } from "./simulation.ts";
import type { ReplayInput } from "./replayInput.ts";

/** A simulation and its input. */
export interface SimulationReport {
  readonly simulation: Simulation;
  readonly input: ReplayInput;
  readonly policies: readonly ReplayedPolicy[];
  /** The commit of the history; `undefined` if a table was replayed. */
  readonly revision: string | undefined;
  /** Unix milliseconds. */
  readonly decidedAt: number;
}

/** The policy that a channel was replayed under. */
interface ReplayedPolicy {
  /** For people. */
  readonly file: string;
  readonly channel: ChannelName;
  readonly follows: ChannelName;
}

/**
 * The report of a simulation for people, the same in a terminal and on a page. Texts that others wrote are not escaped.
 */
export interface SimulationAccount {
  readonly title: string;
  /** The input, and its limitations. */
  readonly facts: readonly AccountLine[];
  readonly tables: readonly Table[];
  /** None is empty. */
  readonly sections: readonly AccountSection[];
}

/** One line at the top of the report. */
interface AccountLine {
  readonly name: "replayed" | "policy" | "decided" | "table" | "assumed" | "gap";
  readonly text: string;
}

/** Totals, a row a level. */
interface Table {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Makes the report of a simulation. */
export function simulationAccount(report: SimulationReport): SimulationAccount {
  const { simulation, input, policies } = report;
  const name = input.source.split("/").at(-1) ?? "";
  return {
    title: `Simulation of ${name} under ${policies.map(({ file }) => file).join(", ")}`,
    facts: simulationFacts(report),
    tables: [realTable(simulation.totals), policyTable(simulation.totals)],
    sections: simulationSections(simulation),
  };
}

function simulationFacts({ simulation, input, policies, decidedAt }: SimulationReport): readonly AccountLine[] {
  const { fromMs, untilMs, assumptions, replays } = simulation;
  const modules = new Set(replays.map(({ module }) => module)).size;
  const period = `${instantText(fromMs)} to ${instantText(untilMs)}`;
  return [
    { name: "replayed", text: `${input.source}, ${counted(modules, "module")}, ${period}` },
    ...policies.map(({ file, channel, follows }): AccountLine => {
      return { name: "policy", text: `${file}, for ${channel}, which follows ${follows}` };
    }),
    { name: "decided", text: instantText(startOfSecondMs(decidedAt)) },
    ...tableFact(input),
    ...assumptions.map((text): AccountLine => ({ name: "assumed", text })),
    ...input.gaps
      .filter(({ endMs }) => endMs > fromMs)
      .map(({ startMs, endMs }): AccountLine => {
        const gap = `${instantText(startMs)} to ${instantText(endMs)} (${durationText(endMs - startMs)})`;
        const effect = "changes in it are dated to its end, and have no lead time";
        return { name: "gap", text: `nothing was observed from ${gap}; ${effect}` };
      }),
  ];
}

function tableFact({ findings }: ReplayInput): readonly AccountLine[] {
  if (findings.length === 0) return [];
  const right = findings.filter(({ severity }) => severity === "note").length;
  const out = counted(findings.length - right, "line");
  return [{ name: "table", text: `${counted(right, "line")} corrected, ${out} left out; --verbose shows which` }];
}

const LEAD_TIME = "Lead time: median (quartiles)";

/** What happened: each promotion counts once more under the policy's judgement. */
function realTable(totals: readonly LevelTotals[]): Table {
  const header = ["Level", "Promoted", LEAD_TIME, "In time", "Sooner", "At a closed moment", "Never", "In a gap"];
  const rows = totals.map(({ level, real }) => [
    level,
    String(real.promoted),
    quartilesText(real.leadMs),
    ...[real.allowed, real.early, real.closed, real.never, real.undated, real.notPromoted].map(String),
  ]);
  return { title: "What happened, and how the policy judges it", header: [...header, "Not promoted"], rows };
}

function policyTable(totals: readonly LevelTotals[]): Table {
  const header = ["Level", "Promoted", LEAD_TIME, "Not promoted", "Of them blocked"];
  const rows = totals.map(({ level, policy }) => [
    level,
    String(policy.promoted),
    quartilesText(policy.leadMs),
    ...[policy.notPromoted, policy.blocked].map(String),
  ]);
  return { title: "What the policy would have done", header, rows };
}
