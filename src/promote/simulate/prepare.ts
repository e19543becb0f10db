import { shortCommit } from "../../document/printable.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { Fault, type Run, type Source } from "../../ports.ts";
import { readEvidenceFiles, warnUncommitted } from "../context.ts";
import { gatherPromotion, type PromotionWorld, type Unreadable } from "../gather.ts";
import type { ModuleHistory } from "../../catalogue/history/history.ts";
import type { ChannelPath } from "../verdict/subject.ts";
import { instantText } from "../../document/times.ts";
import { readHistoryCsv } from "./historyCsv.ts";
import type { SimulationQuestion } from "./simulate.ts";
import type { ReplayInput } from "./replayInput.ts";
import { channelsToTry, readPolicy, type TriedPolicy } from "./trial.ts";
import { catalogueAt } from "../../reading/catalogue.ts";

/** A person's request for a simulation. */
export interface SimulationRequest {
  /** A file with the policy to try; undefined: the policies of the catalogue. */
  readonly policy?: string | undefined;
  readonly channel?: string | undefined;
  /** Unix milliseconds; undefined: from the beginning. */
  readonly sinceMs?: number | undefined;
  /** Paths of files. */
  readonly evidence: readonly string[];
  /** A table to replay; undefined: the history of the repository. */
  readonly historyCsv?: string | undefined;
  readonly revision: string;
}

/** Ports that a simulation needs. */
export interface SimulationWorld extends PromotionWorld {
  /** The working tree. */
  readonly head: Source;
}

/** The input of a simulation, and the commit of its history; a table has none. */
interface PreparedSimulation {
  readonly kind: "prepared";
  readonly question: SimulationQuestion;
  readonly revision: string | undefined;
  readonly catalogue: Catalogue;
}

/** Reads the history, the policy and the evidence of `request`. Throws CONFIGURATION if they do not fit together. */
export async function prepareSimulation(
  request: SimulationRequest,
  world: SimulationWorld,
  run: Run,
): Promise<PreparedSimulation | Unreadable> {
  const { policy, evidence: paths, channel, sinceMs } = request;
  const tried = policy === undefined ? undefined : readPolicy(await world.namedFiles.readOne(policy, run));
  const evidence = (await readEvidenceFiles(paths, world, run)).flatMap((file) => file.evidence);
  const found = await findHistory(request, evidence, tried, world, run);
  if (found.kind === "unreadable") return found;
  const { input, catalogue, landscapes, revision, untilMs } = found;
  const trial = channelsToTry(tried, channel, catalogue.channels);
  if (tried !== undefined) refuseUnknown(trial.channels, input);
  if (sinceMs !== undefined && sinceMs > untilMs)
    throw new Fault(
      "CONFIGURATION",
      `${input.source} ends at ${instantText(untilMs)}, before ${instantText(sinceMs)}. Name an earlier instant: --since INSTANT.`,
    );
  const { modules } = catalogue;
  const observed = paths.length === 0 ? undefined : evidence;
  const question = { input, ...trial, modules, landscapes, evidence: observed, sinceMs, untilMs };
  return { kind: "prepared", question, revision, catalogue };
}

/** The history to replay, and its catalogue. */
interface FoundHistory {
  readonly kind: "found";
  readonly input: ReplayInput;
  readonly catalogue: Catalogue;
  /** In roll-out order; empty without a catalogue. */
  readonly landscapes: readonly Landscape[];
  readonly revision: string | undefined;
  readonly untilMs: number;
}

/** Refuses to follow a channel that never served anything. */
function refuseUnknown(channels: readonly ChannelPath[], { source, modules }: ReplayInput): void {
  const served = new Set([...modules.values()].flatMap((history) => [...history.served.keys()]));
  const unknown = channels.find(({ followed }) => served.size > 0 && !served.has(followed.name));
  if (unknown === undefined) return;
  const { channel, followed } = unknown;
  throw new Fault(
    "CONFIGURATION",
    `${channel.file.path} follows ${followed.name}, which never served anything in ${source}. The channels there: ${[...served].sort().join(", ")}.`,
  );
}

async function findHistory(
  { historyCsv, revision }: SimulationRequest,
  evidence: readonly Evidence[],
  tried: TriedPolicy | undefined,
  world: SimulationWorld,
  run: Run,
): Promise<FoundHistory | Unreadable> {
  if (historyCsv !== undefined) return tableHistory(historyCsv, evidence, tried, world, run);
  const gathered = await gatherPromotion({ revision, atMs: undefined, evidence, isAboutPast: true }, world, run);
  await warnUncommitted(revision, world, run);
  if (gathered.kind === "unreadable") return gathered;
  const { histories, catalogue, nowMs } = gathered;
  const modules = new Map<ModuleName, ModuleHistory>();
  // A broken file may set a policy of its own.
  for (const module of histories.modules.filter((name) => !catalogue.withheld.has(name))) {
    // This parses the module's history.
    await world.clock.pause(0, run);
    modules.set(module, histories.of(module));
  }
  return {
    kind: "found",
    input: replayInput(gathered.revision, modules),
    catalogue,
    landscapes: catalogue.settings.landscapes,
    revision: gathered.revision,
    untilMs: nowMs,
  };
}

/** The history of a repository up to a commit, as input of a simulation. */
export function replayInput(revision: string, modules: ReplayInput["modules"]): ReplayInput {
  return { source: `the history up to ${shortCommit(revision)}`, modules, findings: [], gaps: [] };
}

/** Reads a table. With a policy of its own, it needs no catalogue. */
async function tableHistory(
  path: string,
  evidence: readonly Evidence[],
  tried: TriedPolicy | undefined,
  { head, namedFiles }: SimulationWorld,
  run: Run,
): Promise<FoundHistory | Unreadable> {
  const { revision, findings, whole, readable: catalogue } = await catalogueAt(head, run);
  if (whole === undefined && tried === undefined) return { kind: "unreadable", revision, findings };
  const file = await namedFiles.readOne(path, run);
  const reading = readHistoryCsv(file.name, file.content, hashesIn(evidence));
  if (reading.kind === "refused") throw new Fault("CONFIGURATION", reading.why);
  const { input } = reading;
  const times = [...input.modules.values()].flatMap(({ served }) => [...served.values()].flat());
  const untilMs = times.reduce((last, { revision: { atMs } }) => Math.max(last, atMs), 0);
  // In a refused catalogue, waves may be circular.
  const landscapes = whole === undefined ? [] : catalogue.settings.landscapes;
  return { kind: "found", input, catalogue, landscapes, revision: undefined, untilMs };
}

/**
 * A table has no contents. The content of a version is taken to be the one in its evidence, or that an upgrade started
 * from.
 */
function hashesIn(evidence: readonly Evidence[]): (module: ModuleName, version: string) => string {
  const paths = evidence.flatMap((one) =>
    one.kind === "smoke"
      ? one.paths.map(({ from = "", fromSpecHash = "" }) => [`${one.module}@${from}`, fromSpecHash] as const)
      : [],
  );
  const own = evidence.map(({ module, version, specHash }) => [`${module}@${version}`, specHash] as const);
  const hashes = new Map([...paths, ...own]);
  return (module, version) => hashes.get(`${module}@${version}`) ?? `${module}@${version}`;
}
