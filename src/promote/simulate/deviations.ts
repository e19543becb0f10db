import type { JudgedChange, ModuleReplay, PolicyPromotion, Simulation } from "./simulation.ts";

/** A change that happened, and the module that it happened to. */
export interface ReplayedChange {
  readonly replay: ModuleReplay;
  readonly change: JudgedChange;
}

/** Where history and policy part, and what no policy explains. Each list in order of time. */
export interface Deviations {
  /** Promotions that came sooner than the policy would have let them. */
  readonly early: readonly ReplayedChange[];
  /** Promotions that it never would have let through. */
  readonly never: readonly ReplayedChange[];
  /** Promotions that it would have let through, but not at that moment. */
  readonly closed: readonly ReplayedChange[];
  /** Promotions that it would have made, and that never happened. */
  readonly policyOnly: readonly { readonly replay: ModuleReplay; readonly promotion: PolicyPromotion }[];
  readonly hotfixes: readonly ReplayedChange[];
  readonly downgrades: readonly ReplayedChange[];
  readonly unknown: readonly ReplayedChange[];
}

/** Sorts out what is to be looked at. */
export function deviationsOf({ replays }: Simulation): Deviations {
  const all = replays
    .flatMap((replay) => replay.changes.map((change) => ({ replay, change })))
    .sort((a, b) => a.change.revision.atMs - b.change.revision.atMs);
  const judged = (kind: NonNullable<JudgedChange["judgement"]>["kind"]): readonly ReplayedChange[] =>
    all.filter(({ change }) => change.judgement?.kind === kind);
  const like = (kind: JudgedChange["how"]["kind"]): readonly ReplayedChange[] =>
    all.filter(({ change }) => change.how.kind === kind);
  return {
    early: judged("early"),
    never: judged("never"),
    closed: judged("closed"),
    policyOnly: replays
      .flatMap((replay) => replay.promotions.map((promotion) => ({ replay, promotion })))
      .filter(({ promotion }) => promotion.reallyAtMs === undefined)
      .sort((a, b) => a.promotion.atMs - b.promotion.atMs),
    hotfixes: like("hot-fix"),
    downgrades: like("downgrade"),
    unknown: like("unknown"),
  };
}
