import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import type { Services } from "../verdict/clocks.ts";
import { isAbove } from "../verdict/candidates.ts";
import { decide } from "../verdict/decide.ts";
import type { ModuleHistory, ServedState } from "../../catalogue/history/history.ts";
import type { Interval } from "../verdict/interval.ts";
import { NO_STRAYS, subjectStates, type VerdictFacts, type Subject } from "../verdict/subject.ts";
import type { Assessment } from "../verdict/verdict.ts";
import type { PromotionChange } from "./changes.ts";
import { historyUpTo, type Moment } from "./moments.ts";

/** The input of one replay. */
export interface Scene {
  readonly subject: Subject;
  /** Including hot-fixes that were not declared. */
  readonly history: ModuleHistory;
  readonly evidence: readonly Evidence[];
  /** Built from `history` and `evidence`. */
  readonly services: Services;
  /** The real steps of the following channel, oldest first. */
  readonly changes: readonly PromotionChange[];
  /** As `momentsOf` gives them. */
  readonly moments: readonly Moment[];
  /** Unix milliseconds. */
  readonly untilMs: number;
}

/** What a following channel would have served under its policy. */
export interface PolicyRun {
  readonly states: readonly ServedState[];
  readonly promotions: readonly {
    readonly assessment: Assessment;
    readonly from: ModuleVersion | undefined;
    readonly atMs: number;
  }[];
  /** The last assessment of every version that ever was a candidate. */
  readonly last: ReadonlyMap<ModuleVersion, LastWord>;
}

/** The last assessment of a version. */
interface LastWord {
  readonly assessment: Assessment;
  /** The period in which more than a clock blocked it, as far as known then; `undefined`: it was not blocked. */
  readonly block: Interval | undefined;
}

/**
 * Runs a policy over a history. The followed channel, holds, hot-fixes and what people took back stay as they were;
 * only the promotions are the policy's own.
 */
export function runPolicy(scene: Scene): PolicyRun {
  const run = new ModuleRun(scene);
  scene.moments.forEach((moment, place) => {
    run.follow(moment);
    run.settle(moment, scene.moments[place + 1]?.atMs ?? scene.untilMs + 1);
  });
  return run;
}

/** The next instant before `endMs` at which one of the candidates may become ready by itself. */
export function nextWake(candidates: readonly Assessment[], nowMs: number, endMs: number): number | undefined {
  const wakes = candidates
    .flatMap(({ earliest }) => (earliest?.kind === "not-before" ? earliest.notBeforeMs : earliest?.atMs) ?? [])
    .filter((ms) => ms > nowMs && ms < endMs);
  return wakes.length === 0 ? undefined : Math.min(...wakes);
}

/** The facts at an instant, if the following channel had served `own`. */
export function factsAt(
  { subject, history, evidence, services }: Scene,
  own: readonly ServedState[],
  { index, atMs }: Moment,
): VerdictFacts {
  return {
    history: historyUpTo(subject, history, own, index),
    evidence,
    services,
    proposedHolds: [],
    strays: NO_STRAYS,
    nowMs: atMs,
  };
}

class ModuleRun implements PolicyRun {
  readonly states: ServedState[];
  readonly promotions: {
    readonly assessment: Assessment;
    readonly from: ModuleVersion | undefined;
    readonly atMs: number;
  }[] = [];
  readonly last = new Map<ModuleVersion, LastWord>();
  readonly #scene: Scene;
  #seen: number;
  /** A version that people took back, and the one that replaced it. */
  #takenBack: Readonly<Record<"version" | "by", ModuleVersion | undefined>> | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
    const begin = scene.moments[0]?.atMs ?? 0;
    this.#seen = scene.changes.filter(({ revision }) => revision.atMs < begin).length;
    this.states = subjectStates(scene.history, scene.subject.channel.name).filter(
      ({ revision }) => revision.atMs < begin,
    );
  }

  /** Applies the steps up to `moment` that people decided, and that no policy decides. */
  follow({ index, atMs }: Moment): void {
    const { changes } = this.#scene;
    for (let change = changes[this.#seen]; change !== undefined && change.revision.index <= index;) {
      if (this.#isFollowed(change)) this.#serve(change.to, { index, atMs });
      change = changes[++this.#seen];
    }
  }

  /** Makes the promotions that the policy allows from `moment` until `endMs`. */
  settle({ index, atMs }: Moment, endMs: number): void {
    let nowMs: number | undefined = atMs;
    while (nowMs !== undefined) {
      const facts = factsAt(this.#scene, this.states, { index, atMs: nowMs });
      const { kind, chosen, current, candidates } = decide(this.#scene.subject, facts);
      for (const candidate of candidates) this.#note(candidate, nowMs);
      if (kind === "promote" && chosen !== undefined) {
        this.promotions.push({ assessment: chosen, from: current, atMs: nowMs });
        this.#serve(chosen.version, { index, atMs: nowMs });
      } else nowMs = nextWake(candidates, nowMs, endMs);
    }
  }

  #note(assessment: Assessment, nowMs: number): void {
    const blocking = assessment.reasons.filter(({ topic, outcome }) => outcome === "blocking" && topic !== "soak");
    const before = this.last.get(assessment.version)?.block;
    const endMs = Math.max(...blocking.map(({ metAtMs = Number.POSITIVE_INFINITY }) => metAtMs));
    // A block that has ended since then is another one.
    const sinceMs = before !== undefined && before.endMs >= nowMs ? before.startMs : nowMs;
    const block = blocking.length === 0 ? undefined : { startMs: sinceMs, endMs };
    this.last.set(assessment.version, { assessment, block });
  }

  #isFollowed({ from, to, how }: PromotionChange): boolean {
    const current = this.states.at(-1)?.version;
    switch (how.kind) {
      case "first":
        return current === undefined;
      case "removal":
        return true;
      case "hot-fix":
        return isAbove(to, current);
      case "withdrawal":
      case "downgrade":
        return current === from && this.#takeBack(from, to);
      case "promotion":
      case "unknown":
        return this.#isBroughtBack(to, current);
    }
  }

  /** People may bring back a version that they took back. */
  #isBroughtBack(to: ModuleVersion | undefined, current: ModuleVersion | undefined): boolean {
    return to === this.#takenBack?.version && current === this.#takenBack?.by;
  }

  #takeBack(version: ModuleVersion | undefined, by: ModuleVersion | undefined): boolean {
    this.#takenBack = { version, by };
    return true;
  }

  #serve(version: ModuleVersion | undefined, { index, atMs }: Moment): void {
    const { subject, history } = this.#scene;
    const channels = [subject.followed.name, subject.channel.name];
    const known = channels
      .flatMap((channel) => subjectStates(history, channel))
      .find((state) => state.version === version);
    const revision = { index, commit: known?.revision.commit ?? "", atMs };
    this.states.push({ revision, version, hash: () => known?.hash() ?? "", template: () => undefined });
  }
}
