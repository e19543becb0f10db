import type { ChannelName, ModuleName } from "../../catalogue/names.ts";
import type { Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import type { PromotionChange } from "./changes.ts";

/** What a policy would have made of a history. All times are Unix milliseconds. */
export interface Simulation {
  /** In order of channel, then module. */
  readonly replays: readonly ModuleReplay[];
  readonly totals: readonly LevelTotals[];
  /** What was taken for granted because nobody knows; a full sentence each. */
  readonly assumptions: readonly string[];
  /** The first and the last instant that was replayed. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** One module in one following channel. */
export interface ModuleReplay {
  readonly module: ModuleName;
  readonly channel: ChannelName;
  readonly follows: ChannelName;
  /** What happened, oldest first. */
  readonly changes: readonly JudgedChange[];
  /** What the policy would have moved, oldest first. */
  readonly promotions: readonly PolicyPromotion[];
  /** What came into the followed channel and, by the policy, never into the following one. */
  readonly passedOver: readonly PassedOver[];
  /** What really never came into the following one, though it was above what that served. */
  readonly reallyPassedOver: readonly { readonly version: ModuleVersion; readonly level: Level }[];
  /** What the followed channel served, the following one did, and would have. */
  readonly spans: Readonly<Record<"followed" | "real" | "policy", readonly Span[]>>;
}

/** A change that happened. */
export interface JudgedChange extends PromotionChange {
  /** Of a promotion that is known when it came. */
  readonly judgement: PolicyJudgement | undefined;
}

/** What a policy says of a promotion that happened. */
export interface PolicyJudgement {
  /**
   * - `allowed`: it would have been allowed when it happened;
   * - `closed`: it would have been earlier, but not at that very moment, as outside of a window;
   * - `early`: the policy would have waited;
   * - `never`: it would not have come to it, as far as the history goes.
   */
  readonly kind: "allowed" | "closed" | "early" | "never";
  /** The first instant at which it was or would be allowed; `undefined` for `never`. */
  readonly allowedAtMs: number | undefined;
  /** What kept it when it happened; a full sentence each. */
  readonly reasons: readonly string[];
}

/** A promotion that the policy would have made. */
export interface PolicyPromotion {
  readonly from: ModuleVersion | undefined;
  readonly to: ModuleVersion;
  readonly level: Level;
  readonly atMs: number;
  /** Since the followed channel first served it. */
  readonly leadMs: number;
  /** When the following channel really first served it; `undefined`: it never did. */
  readonly reallyAtMs: number | undefined;
}

/** A version that the policy never let in. */
export interface PassedOver {
  readonly version: ModuleVersion;
  readonly level: Level;
  /** When the followed channel first served it. */
  readonly sinceMs: number;
  /** Since when only somebody's decision would let it in; `undefined` where none is needed. */
  readonly blockedSinceMs: number | undefined;
  /** `blocked`: somebody would have had to decide; `overtaken`: a newer one came first, or it did not stay long enough; `waiting`: at the end. */
  readonly kind: "blocked" | "overtaken" | "waiting";
  /** What kept it in the end; a full sentence each. */
  readonly reasons: readonly string[];
}

/** A time in which a channel served one version. */
export interface Span {
  readonly version: ModuleVersion;
  readonly startMs: number;
  readonly endMs: number;
}

/** The promotions of one level, as they were and as the policy would have made them. */
export interface LevelTotals {
  readonly level: Level;
  readonly real: RealTotals;
  readonly policy: PolicyTotals;
}

/** The promotions that happened, and how many of them the policy says what of. These add up to `promoted`, with `undated`. */
export interface RealTotals extends Readonly<Record<PolicyJudgement["kind"], number>> {
  readonly promoted: number;
  /** How long the versions were in the followed channel before, without those that are `undated`. */
  readonly leadMs: Quartiles | undefined;
  /** Those that came, or whose version came into the followed channel, while nothing was observed. */
  readonly undated: number;
  /** Versions that came into the followed channel above what the following one served, and never further. */
  readonly notPromoted: number;
}

/** The promotions that the policy would have made. */
export interface PolicyTotals {
  readonly promoted: number;
  readonly leadMs: Quartiles | undefined;
  /** Versions that were candidates once, and never came in. */
  readonly notPromoted: number;
  /** Those of them that only somebody's decision would have let in. */
  readonly blocked: number;
}

/**
 * A quarter of the values lies below the first, half below the second, a quarter above the third. Milliseconds; there are
 * none of no values.
 */
export type Quartiles = readonly [first: number, median: number, third: number];
