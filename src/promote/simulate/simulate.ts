import type { Module } from "../../catalogue/catalogue.ts";
import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { type Level, LEVELS, type PromotionFile } from "../../catalogue/policy.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import type { Clock, Run } from "../../ports.ts";
import type { ChannelPath, Subject } from "../verdict/subject.ts";
import { demandText } from "../../document/times.ts";
import { channelShift } from "../../catalogue/wave.ts";
import { type Period, replay } from "./replay.ts";
import type { ModuleReplay, PolicyTotals, Quartiles, RealTotals, Simulation } from "./simulation.ts";
import type { ReplayInput } from "./replayInput.ts";

/** The history to replay, and the policies. */
export interface SimulationQuestion {
  readonly input: ReplayInput;
  /** Each with the policy to try, and the channels that a version passes before. */
  readonly channels: readonly ChannelPath[];
  /** The settings of modules: their stricter policies count. */
  readonly modules: ReadonlyMap<ModuleName, Module>;
  /** In roll-out order; empty if none are known. */
  readonly landscapes: readonly Landscape[];
  /** `undefined`: there is none, and every demand on evidence is assumed to be met. */
  readonly evidence: readonly Evidence[] | undefined;
  /** Assumptions about the policies that were made earlier; full sentences. */
  readonly assumptions: readonly string[];
  /** Unix milliseconds. `undefined`: from the beginning. */
  readonly sinceMs: number | undefined;
  readonly untilMs: number;
}

/** Replays a history against a policy, module by module. It can be stopped between two modules. */
export async function simulate(question: SimulationQuestion, clock: Clock, run: Run): Promise<Simulation> {
  const replays: ModuleReplay[] = [];
  for (const replayNext of moduleReplays(question)) {
    await clock.pause(0, run);
    replays.push(replayNext());
  }
  return assembleSimulation(question, replays);
}

/** The same without a pause. */
export function simulateAtOnce(question: SimulationQuestion): Simulation {
  return assembleSimulation(
    question,
    moduleReplays(question).map((replayNext) => replayNext()),
  );
}

/** Functions that replay one module each. */
function moduleReplays(question: SimulationQuestion): readonly (() => ModuleReplay)[] {
  const { input, evidence } = question;
  const byModule = Map.groupBy(evidence ?? [], ({ module }) => module);
  const period = simulationPeriod(question);
  return simulationSubjects(question).map((subject) => () => {
    const tried = evidence === undefined ? withoutEvidence(subject) : subject;
    return replay(tried, input, byModule.get(subject.module) ?? [], period);
  });
}

function assembleSimulation(question: SimulationQuestion, replays: readonly ModuleReplay[]): Simulation {
  const told = replays.filter(
    ({ changes, promotions, passedOver }) => changes.length + promotions.length + passedOver.length > 0,
  );
  const assumptions = simulationAssumptions(question, simulationSubjects(question));
  const totals = LEVELS.map((level) => {
    return { level, real: realTotals(level, told), policy: policyTotals(level, told) };
  });
  return {
    replays: told,
    // Without levels that have none.
    totals: totals.filter(
      ({ real, policy }) => real.promoted + policy.promoted + real.notPromoted + policy.notPromoted > 0,
    ),
    assumptions,
    ...simulationPeriod(question),
  };
}

function simulationPeriod({ sinceMs, input, untilMs }: SimulationQuestion): Period {
  if (sinceMs !== undefined) return { fromMs: sinceMs, untilMs };
  const states = [...input.modules.values()].flatMap(({ served }) => [...served.values()].flat());
  return { fromMs: states.reduce((least, { revision }) => Math.min(least, revision.atMs), untilMs), untilMs };
}

function simulationSubjects({ input, channels, modules, landscapes }: SimulationQuestion): readonly Subject[] {
  // A replay needs no approval.
  const common = { landscapes, releaseManagers: [] };
  return channels.flatMap((place) =>
    [...input.modules.keys()].map((module) => ({ ...place, ...common, module, said: modules.get(module) })),
  );
}

function simulationAssumptions(
  { channels, landscapes, evidence, assumptions }: SimulationQuestion,
  subjects: readonly Subject[],
): readonly string[] {
  return [
    ...assumptions,
    ...soakAssumptions(channels),
    ...limitAssumptions(channels),
    ...waveAssumptions(channels, landscapes),
    ...(evidence === undefined ? evidenceAssumption(subjects) : []),
  ];
}

function realTotals(level: Level, replays: readonly ModuleReplay[]): RealTotals {
  const promotions = replays
    .flatMap(({ changes }) => changes)
    .flatMap(({ how, judgement }) => (how.kind === "promotion" && how.level === level ? [{ how, judgement }] : []));
  const judged = Map.groupBy(promotions, ({ judgement }) => judgement?.kind ?? "undated");
  const count = (kind: Parameters<typeof judged.get>[0]): number => judged.get(kind)?.length ?? 0;
  return {
    promoted: promotions.length,
    leadMs: valueQuartiles(promotions.flatMap(({ how }) => how.leadMs ?? [])),
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
    leadMs: valueQuartiles(promotions.map(({ leadMs }) => leadMs)),
    notPromoted: over.length,
    blocked: over.filter(({ kind }) => kind === "blocked").length,
  };
}

/**
 * The quartiles of `values`, interpolated between neighbours as spreadsheets do (inclusive); `undefined` without
 * values.
 */
export function valueQuartiles(values: readonly number[]): Quartiles | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const at = (part: number): number => {
    const place = (sorted.length - 1) * part;
    const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    return low + (high - low) * (place - Math.floor(place));
  };
  return [at(0.25), at(0.5), at(0.75)];
}

/**
 * `subject` with a policy that demands no evidence. Without evidence, a simulation shows the effect of soak and
 * calendar instead of waiting for ever.
 */
function withoutEvidence(subject: Subject): Subject {
  const { channel, said } = subject;
  const relaxed = { ...subject, channel: { ...channel, promotion: timeOnly(channel.promotion) } };
  const own = said?.says.policy?.[channel.name];
  if (said === undefined || own === undefined) return relaxed;
  const policy = { ...said.says.policy, [channel.name]: timeOnly(own) };
  return { ...relaxed, said: { ...said, says: { ...said.says, policy } } };
}

function timeOnly({ needs: _needs, exposure: _exposure, health: _health, ...rest }: PromotionFile): PromotionFile {
  return rest;
}

/** The assumption about missing evidence; none if no policy demands any. */
function evidenceAssumption(subjects: readonly Subject[]): readonly string[] {
  const files = subjects.flatMap(({ channel, said }) => [channel.promotion, said?.says.policy?.[channel.name] ?? {}]);
  const demands = files.flatMap(({ needs = [], exposure, health }) => {
    return [...needs, ...(exposure === undefined ? [] : ["exposure"]), ...(health === undefined ? [] : ["health"])];
  });
  const demanded = [...new Set(demands)].sort();
  if (demanded.length === 0) return [];
  return [
    `No evidence is available: what the policy demands (${demanded.join(", ")}) is assumed to be there at every moment. Name evidence with --evidence FILE.`,
  ];
}

/** Assumptions about policies without a soak. */
function soakAssumptions(channels: readonly ChannelPath[]): readonly string[] {
  return channels.flatMap(({ channel: { file, name, promotion } }) => {
    const unsaid = LEVELS.filter((level) => promotion.soak?.[level] === undefined);
    if (unsaid.length === 0) return [];
    return [`${file.path} names no soak of ${unsaid.join(", ")}: nothing has to soak for such a step of ${name}.`];
  });
}

/** Assumptions about limits: modules are replayed one by one. */
function limitAssumptions(channels: readonly ChannelPath[]): readonly string[] {
  return channels.flatMap(({ channel: { file, promotion } }) =>
    promotion.limits === undefined
      ? []
      : [
          `${file.path} has limits: they are not replayed, so what the policy moves here may have had to wait for others.`,
        ],
  );
}

/** Assumptions about how a version passes the landscapes of a followed channel. */
function waveAssumptions(channels: readonly ChannelPath[], landscapes: readonly Landscape[]): readonly string[] {
  const followed = [...new Map(channels.map((place) => [place.followed.name, place.followed])).values()];
  if (landscapes.length === 0) {
    const names = followed.map(({ name }) => name).join(", ");
    return [
      `No landscapes are known: what ${names} serves is assumed to be in all of them at once, so soak counts from the merge. Name a catalogue with landscapes: --repo DIR.`,
    ];
  }
  return followed.flatMap((channel) => {
    const { ms, hotfixMs } = channelShift(channel, landscapes);
    if (ms === 0) return [];
    const last = `when its last landscape can serve it by the waves that kyma-modules.yaml has now`;
    return [
      `Soak in ${channel.name} counts from ${demandText(ms)} after the merge (${demandText(hotfixMs)} for a hot-fix), ${last}.`,
    ];
  });
}
