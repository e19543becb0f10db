import { channelsToTry, readPolicy, type TriedPolicy } from "./policy.ts";
import type { Evidence } from "../../catalogue/evidence.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { parse } from "../../catalogue/parse.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { gatherPromotion } from "../../promote/gather.ts";
import { readHistoryCsv } from "../../promote/simulate/historyCsv.ts";
import { simulationPage } from "../../promote/simulate/page.ts";
import { simulate } from "../../promote/simulate/simulate.ts";
import type { Timeline } from "../../promote/simulate/timeline.ts";
import type { ModuleHistory } from "../../promote/history/history.ts";
import type { ChannelPath } from "../../promote/verdict/subject.ts";
import { instantText } from "../../promote/verdict/text.ts";
import { Fault, type Run } from "../../ports.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { isOfCatalogue, refuseNoCatalogue } from "../loadCatalogue.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { readEvidenceFiles, warnUncommitted } from "../promote/ground.ts";
import { sayFindings } from "../terminal/findings.ts";
import { simulationJson, simulationText } from "./report.ts";
import { readNamedFile } from "../namedFile.ts";

/** The arguments of `simulate`. */
export interface SimulateArguments {
  /** A file with the policy to try; the catalogue's when undefined. */
  readonly policy?: string | undefined;
  readonly channel?: string | undefined;
  /** Unix milliseconds; from the beginning when undefined. */
  readonly sinceMs?: number | undefined;
  /** Paths of files. */
  readonly evidence: readonly string[];
  /** A table to replay; the history of the repository when undefined. */
  readonly historyCsv?: string | undefined;
  readonly revision: string;
}

/** `kyma-modules simulate`: what a policy would have made of a history. Gives the exit code. */
export async function simulateCommand(
  arguments_: SimulateArguments,
  ports: PromotionPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const { policy, evidence: paths, channel, sinceMs } = arguments_;
  const tried = policy === undefined ? undefined : await readPolicy(policy, ports, run);
  const { evidence } = await readEvidenceFiles(paths, ports, run);
  const found = await findHistory(arguments_, evidence, tried, ports, run);
  if (!("timeline" in found)) {
    refuseNoCatalogue(found);
    sayFindings(found, output);
    return EXIT.findings;
  }
  const { timeline, catalogue, landscapes, revision, untilMs } = found;
  const trial = channelsToTry(tried, channel, catalogue.channels);
  if (tried !== undefined) refuseUnknown(trial.channels, timeline);
  refuseLate(sinceMs, found);
  sayReading(timeline, output, run);
  const question = {
    timeline,
    ...trial,
    modules: catalogue.modules,
    landscapes,
    evidence: paths.length === 0 ? undefined : evidence,
    sinceMs,
    untilMs,
  };
  const { clock } = ports.world;
  const simulation = await simulate(question, clock, run);
  const policies = trial.channels.map(({ channel, followed }) => ({
    file: channel.file.path,
    channel: channel.name,
    follows: followed.name,
  }));
  const report = { simulation, timeline, policies, revision, decidedAt: clock.nowMs() };
  // A signal that came while the last module was replayed is heard first.
  await clock.pause(0, run);
  output.report({
    text: (paper) => simulationText(report, paper),
    json: () => simulationJson(report),
    html: () => simulationPage(report).trimEnd(),
  });
  return EXIT.fine;
}

/** What is replayed, and the catalogue that goes with it. */
interface FoundHistory {
  readonly timeline: Timeline;
  readonly catalogue: Pick<Catalogue, "channels" | "modules">;
  /** In roll-out order; empty where there is no catalogue. */
  readonly landscapes: readonly Landscape[];
  readonly revision: string | undefined;
  readonly untilMs: number;
}

/** What nobody ever served cannot be followed. */
function refuseUnknown(channels: readonly ChannelPath[], { source, modules }: Timeline): void {
  const served = new Set([...modules.values()].flatMap((history) => [...history.served.keys()]));
  const unknown = channels.find(({ followed }) => served.size > 0 && !served.has(followed.name));
  if (unknown === undefined) return;
  const { channel, followed } = unknown;
  throw new Fault(
    "CONFIGURATION",
    `${channel.file.path} follows ${followed.name}, which nothing in ${source} ever came into. There is ${[...served].sort().join(", ")}.`,
  );
}

function refuseLate(sinceMs: number | undefined, { timeline, untilMs }: FoundHistory): void {
  if (sinceMs === undefined || sinceMs <= untilMs) return;
  throw new Fault(
    "CONFIGURATION",
    `${timeline.source} ends at ${instantText(untilMs)}, before ${instantText(sinceMs)}. Name an earlier instant: --since INSTANT.`,
  );
}

type Findings = Parameters<typeof sayFindings>[0];

async function findHistory(
  { historyCsv, revision }: SimulateArguments,
  evidence: readonly Evidence[],
  tried: TriedPolicy | undefined,
  ports: PromotionPorts,
  run: Run,
): Promise<FoundHistory | Findings> {
  if (historyCsv !== undefined) return tableHistory(historyCsv, evidence, tried, ports, run);
  const gathered = await gatherPromotion({ revision, atMs: undefined, evidence, isAboutPast: true }, ports.world, run);
  await warnUncommitted(revision, ports, run);
  if (gathered.kind === "unreadable") return gathered.findings;
  const { histories, catalogue, nowMs } = gathered;
  const modules = new Map<ModuleName, ModuleHistory>();
  for (const module of histories.modules) {
    // Each is parsed here.
    await ports.world.clock.pause(0, run);
    modules.set(module, histories.of(module));
  }
  const source = `the history up to ${gathered.revision.slice(0, 10)}`;
  return {
    timeline: { source, modules, findings: [], gaps: [] },
    catalogue,
    landscapes: catalogue.settings.landscapes,
    revision: gathered.revision,
    untilMs: nowMs,
  };
}

/** A table stands for itself: with a policy of its own, it needs no catalogue. */
async function tableHistory(
  path: string,
  evidence: readonly Evidence[],
  tried: TriedPolicy | undefined,
  { check }: PromotionPorts,
  run: Run,
): Promise<FoundHistory | Findings> {
  const { revision, files } = await check.openHead().snapshot(isOfCatalogue, run);
  const parsing = parse(revision, files);
  if (parsing.kind === "refused" && tried === undefined) return parsing.findings;
  const catalogue = parsing.kind === "refused" ? parsing.readable : parsing.catalogue;
  const file = await readNamedFile(path, "Name the table itself.", check, run);
  const reading = readHistoryCsv(file.name, file.content, hashesIn(evidence));
  if (reading.kind === "refused") throw new Fault("CONFIGURATION", reading.why);
  const { timeline } = reading;
  const times = [...timeline.modules.values()].flatMap(({ served }) => [...served.values()].flat());
  const untilMs = times.reduce((last, { revision: { atMs } }) => Math.max(last, atMs), 0);
  // Of a catalogue that is refused, waves may go in a circle.
  const landscapes = parsing.kind === "refused" ? [] : catalogue.settings.landscapes;
  return { timeline, catalogue, landscapes, revision: undefined, untilMs };
}

/** A table has no contents: those of a version are taken to be what its evidence was made of. */
function hashesIn(evidence: readonly Evidence[]): (module: ModuleName, version: string) => string {
  const hashes = new Map(evidence.map(({ module, version, specHash }) => [`${module}@${version}`, specHash]));
  return (module, version) => hashes.get(`${module}@${version}`) ?? `${module}@${version}`;
}

/** What was left out always; what was put right when somebody asks: the report counts both. */
function sayReading({ findings }: Timeline, output: Output, run: Run): void {
  for (const { file, line, severity, message } of findings) {
    if (severity !== "note") output.say(`${file}:${String(line)}: ${output.paint("change", severity)}: ${message}`);
    else run.log.info(message, { file, line });
  }
}
