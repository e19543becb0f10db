import { simulationPage } from "../../dashboard/simulation.ts";
import { pageStyle } from "../compose/pageAssets.ts";
import { prepareSimulation, type SimulationRequest } from "../../promote/simulate/prepare.ts";
import { simulate } from "../../promote/simulate/simulate.ts";
import type { Gap } from "../../promote/simulate/replayInput.ts";
import type { Run } from "../../ports.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { codeOfCatalogue, sayUnreadable, sayUsable } from "../loadCatalogue.ts";
import { EXIT, type Output, jsonDocument, table } from "../terminal/output.ts";
import { printable, printableJson } from "../../document/printable.ts";
import { simulationAccount, type SimulationReport } from "../../promote/simulate/account.ts";
import { explainChange } from "../../promote/simulate/explain.ts";
import type { AccountSection } from "../../promote/simulate/sections.ts";
import type {
  JudgedChange,
  ModuleReplay,
  PolicyJudgement,
  Quartiles,
  Simulation,
} from "../../promote/simulate/simulation.ts";
import { instantText } from "../../document/times.ts";

/** `kyma-modules simulate`: replays a history under a policy. Returns the exit code. */
export async function simulateCommand(
  request: SimulationRequest,
  { world, check }: PromotionPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const prepared = await prepareSimulation(request, { ...world, head: check.openHead() }, run);
  if (prepared.kind === "unreadable") {
    sayUnreadable(prepared.findings, output);
    return EXIT.findings;
  }
  const { question, revision, catalogue } = prepared;
  // A tried policy needs no catalogue of its own.
  const isWhole = request.historyCsv !== undefined || codeOfCatalogue(catalogue) === EXIT.fine;
  if (!isWhole) sayUsable(catalogue, output);
  const { input, channels } = question;
  // Omitted lines are printed always, corrected ones with --verbose. The report counts both.
  for (const { file, line, severity, message } of input.findings) {
    if (severity !== "note") output.say(`${file}:${String(line)}: ${output.paint("change", severity)}: ${message}`);
    else run.log.info(message, { file, line });
  }
  const simulation = await simulate(question, world.clock, run);
  const policies = channels.map(({ channel, followed }) => ({
    file: channel.file.path,
    channel: channel.name,
    follows: followed.name,
  }));
  const report = { simulation, input, policies, revision, decidedAt: world.clock.nowMs() };
  // Handle a signal that arrived while the last module was replayed.
  await world.clock.pause(0, run);
  output.report({
    text: (paper) => simulationText(report, paper),
    json: () => simulationJson(report),
    html: () => simulationPage(report, pageStyle()).trimEnd(),
  });
  return isWhole ? EXIT.fine : EXIT.findings;
}

/** The longest list in the text report. The other formats have all of it. */
const MOST_LINES = 60;

/** The totals, and the differences between history and policy. */
function simulationText(report: SimulationReport, output: Output): string {
  const { title, facts, tables, sections } = simulationAccount(report);
  return [
    output.paint("strong", printable(title)),
    ...facts.map(({ name, text }) => `${name}: ${printable(text)}`),
    ...tables.flatMap(({ title: name, header, rows }) => {
      const names = header.map((cell) => cell.toUpperCase());
      return ["", output.paint("strong", name), table(names, rows, output)];
    }),
    ...sections.flatMap((section) => sectionLines(section, output)),
  ].join("\n");
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
function simulationJson(report: SimulationReport): string {
  const { simulation, input, revision, decidedAt } = report;
  const items = [
    replayedItem(report),
    ...simulation.totals.map(({ level, real, policy }) => {
      return { kind: "total", level, real: leadInSeconds(real), policy: leadInSeconds(policy) };
    }),
    ...simulation.replays.flatMap((replay) => replayItems(replay)),
    ...input.gaps.map((gap) => ({ kind: "gap", ...gapSpan(gap), commit: gap.commit })),
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
function gapSpan({ startMs, endMs }: Gap): { readonly from: string; readonly until: string } {
  return { from: instantText(startMs), until: instantText(endMs) };
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
    leadSeconds: how.kind === "promotion" && how.leadMs !== undefined ? seconds(how.leadMs) : null,
    gap: undated === undefined ? null : { channel: undated.channel, ...gapSpan(undated.gap) },
    judgement: judgement === undefined ? null : judgementItem(judgement, revision.atMs),
    explanation: explainChange(change, replay),
  };
}

function judgementItem({ kind, allowedAtMs, reasons }: PolicyJudgement, atMs: number): object {
  return {
    kind,
    allowedAt: allowedAtMs === undefined ? null : instantText(allowedAtMs),
    secondsLater: allowedAtMs === undefined ? null : seconds(allowedAtMs - atMs),
    reasons,
  };
}
