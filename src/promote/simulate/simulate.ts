import type { Module } from "../../catalogue/catalogue.ts";
import type { Evidence } from "../../catalogue/evidence.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import type { Clock, Run } from "../../ports.ts";
import type { Place, Subject } from "../verdict/subject.ts";
import { evidenceAssumption, limitAssumptions, soakAssumptions, waveAssumptions, withoutEvidence } from "./assume.ts";
import { replay } from "./replay.ts";
import type { ModuleReplay, Simulation } from "./simulation.ts";
import type { Timeline } from "./timeline.ts";
import { totalsOf } from "./totals.ts";

/** What is to be replayed, and under which policy. */
export interface SimulationQuestion {
  readonly timeline: Timeline;
  /** Each with the policy that is tried, and the channels that a version passes before. */
  readonly channels: readonly Place[];
  /** What modules say of themselves: their stricter policies count. */
  readonly modules: ReadonlyMap<ModuleName, Module>;
  /** In roll-out order; empty where none are known. */
  readonly landscapes: readonly Landscape[];
  /** `undefined`: nobody has any, and it is taken for granted. */
  readonly evidence: readonly Evidence[] | undefined;
  /** What was taken for granted about the policies before; full sentences. */
  readonly assumptions: readonly string[];
  /** Unix milliseconds. `undefined`: from the beginning. */
  readonly sinceMs: number | undefined;
  readonly untilMs: number;
}

/** Replays a history against a policy, module by module: between two of them it can be stopped. */
export async function simulate(question: SimulationQuestion, clock: Clock, run: Run): Promise<Simulation> {
  const { timeline, evidence, sinceMs, untilMs } = question;
  const subjects = subjectsOf(question);
  const byModule = Map.groupBy(evidence ?? [], ({ module }) => module);
  const period = { fromMs: sinceMs ?? beginningOf(timeline, untilMs), untilMs };
  const replays: ModuleReplay[] = [];
  for (const subject of subjects) {
    await clock.pause(0, run);
    const tried = evidence === undefined ? withoutEvidence(subject) : subject;
    replays.push(replay(tried, timeline, byModule.get(subject.module) ?? [], period));
  }
  const told = replays.filter(
    ({ changes, promotions, passedOver }) => changes.length + promotions.length + passedOver.length > 0,
  );
  return { replays: told, totals: totalsOf(told), assumptions: assumptionsOf(question, subjects), ...period };
}

function subjectsOf({ timeline, channels, modules, landscapes }: SimulationQuestion): readonly Subject[] {
  // Nobody is asked to approve what is only replayed.
  const common = { landscapes, releaseManagers: [] };
  return channels.flatMap((place) =>
    [...timeline.modules.keys()].map((module) => ({ ...place, ...common, module, said: modules.get(module) })),
  );
}

function beginningOf({ modules }: Timeline, untilMs: number): number {
  const states = [...modules.values()].flatMap(({ served }) => [...served.values()].flat());
  return states.reduce((least, { revision }) => Math.min(least, revision.atMs), untilMs);
}

function assumptionsOf(
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
