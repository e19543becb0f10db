import type { Module } from "../../../src/catalogue/catalogue.ts";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import type { ModuleName } from "../../../src/catalogue/names.ts";
import type { Clock } from "../../../src/ports.ts";
import type { ModuleHistory } from "../../../src/catalogue/history/history.ts";
import { simulate, type SimulationQuestion } from "../../../src/promote/simulate/simulate.ts";
import type { ModuleReplay, Simulation } from "../../../src/promote/simulate/simulation.ts";
import type { ReplayInput } from "../../../src/promote/simulate/replayInput.ts";
import { quietRun } from "../../support/quietRun.ts";
import { day, historyOf, ISTIO, START_MS, DAY_MS, subjectOf, type Merge, type World } from "../verdict/timeline.ts";

/** The timeline of istio alone. */
export function timelineWith(history: ModuleHistory): ReplayInput {
  return { source: "the history", modules: new Map([[ISTIO, history]]), findings: [], gaps: [] };
}

/** Replays these merges up to day `until`. */
export async function replayUntil(
  until: number,
  merges: readonly Merge[],
  world: World = {},
  more: Partial<SimulationQuestion> & { readonly evidence?: readonly Evidence[] } = {},
): Promise<Simulation> {
  const { channel, followed, upstream, said, landscapes } = subjectOf(world);
  const question = {
    input: timelineWith(historyOf(...merges)),
    channels: [{ channel, followed, upstream }],
    modules: said === undefined ? new Map<ModuleName, Module>() : new Map([[ISTIO, said]]),
    landscapes,
    evidence: undefined,
    assumptions: [],
    sinceMs: undefined,
    untilMs: day(until),
    ...more,
  };
  return simulate(question, tirelessClock, quietRun());
}

/** A clock that does not wait, but stops when told to. */
export const tirelessClock: Clock = {
  nowMs: () => START_MS,
  pause: (_ms, { signal }) => {
    signal.throwIfAborted();
    return Promise.resolve();
  },
};

const dayOf = (ms: number | undefined): string => (ms === undefined ? "–" : String((ms - START_MS) / DAY_MS));

/** The real changes with the policy's judgement: `8: 1.0.0 → 1.1.0 promotion early @9`. */
export function happened({ replays }: Simulation): readonly string[] {
  return replays.flatMap(({ changes }) =>
    changes.map(({ revision, from = "none", to = "none", how, judgement }) => {
      const judged = judgement === undefined ? "" : ` ${judgement.kind} @${dayOf(judgement.allowedAtMs)}`;
      return `${dayOf(revision.atMs)}: ${from} → ${to} ${how.kind}${judged}`;
    }),
  );
}

/** The promotions by the policy: `9: 1.0.0 → 1.1.0 minor, really 8`. */
export function moved({ replays }: Simulation): readonly string[] {
  return replays.flatMap(({ promotions }) =>
    promotions.map(
      ({ atMs, from = "none", to, level, reallyAtMs }) =>
        `${dayOf(atMs)}: ${from} → ${to} ${level}, really ${dayOf(reallyAtMs)}`,
    ),
  );
}

/** The states by the policy: `0 1.0.0`. */
export function policySpans({ replays }: Simulation): readonly string[] {
  return replays.flatMap(({ spans }) => spans.policy.map(({ version, startMs }) => `${dayOf(startMs)} ${version}`));
}

/** The only replay. */
export function only({ replays }: Simulation): ModuleReplay {
  const [replay] = replays;
  if (replay === undefined) throw new Error("nothing was replayed");
  return replay;
}
