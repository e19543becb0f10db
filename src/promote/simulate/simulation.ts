import type { ChannelName, ModuleName } from "../../catalogue/names.ts";
import type { Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import type { PromotionChange } from "./changes.ts";

/** The result of a policy for a history. All times are Unix milliseconds. */
export interface Simulation {
  /** In order of channel, then module. */
  readonly replays: readonly ModuleReplay[];
  readonly totals: readonly LevelTotals[];
  /** Assumptions about unknown facts; a full sentence each. */
  readonly assumptions: readonly string[];
  /** The first and the last replayed instant. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** One module in one following channel. */
export interface ModuleReplay {
  readonly module: ModuleName;
  readonly channel: ChannelName;
  readonly follows: ChannelName;
  /** The real changes, oldest first. */
  readonly changes: readonly JudgedChange[];
  /** The promotions by the policy, oldest first. */
  readonly promotions: readonly PolicyPromotion[];
  /** Versions that came into the followed channel, but by the policy never into the following one. */
  readonly passedOver: readonly PassedOver[];
  /** Versions that really never came into the following channel, though they were above its version. */
  readonly reallyPassedOver: readonly { readonly version: ModuleVersion; readonly level: Level }[];
  /** What the followed channel served, and what the following one served and would have served. */
  readonly spans: Readonly<Record<"followed" | "real" | "policy", readonly Span[]>>;
}

/** A real change. */
export interface JudgedChange extends PromotionChange {
  /** For a promotion with a known time. */
  readonly judgement: PolicyJudgement | undefined;
}

/** The policy's judgement of a real promotion. */
export interface PolicyJudgement {
  /**
   * - `allowed`: it would have been allowed when it happened;
   * - `closed`: it would have been allowed earlier, but not at that moment, for example outside of a window;
   * - `early`: the policy would have waited;
   * - `never`: it would not have been allowed before the end of the history.
   */
  readonly kind: "allowed" | "closed" | "early" | "never";
  /** The first instant at which it was or would be allowed; `undefined` for `never`. */
  readonly allowedAtMs: number | undefined;
  /** The reasons against it when it happened; a full sentence each. */
  readonly reasons: readonly string[];
}

/** A promotion that the policy would have made. */
export interface PolicyPromotion {
  readonly from: ModuleVersion | undefined;
  readonly to: ModuleVersion;
  readonly level: Level;
  readonly atMs: number;
  /** The time since the followed channel first served it. */
  readonly leadMs: number;
  /** When the following channel really first served it; `undefined`: never. */
  readonly reallyAtMs: number | undefined;
}

/** A version that the policy never promoted. */
export interface PassedOver {
  readonly version: ModuleVersion;
  readonly level: Level;
  /** When the followed channel first served it. */
  readonly sinceMs: number;
  /** Since when it needed a person's decision; `undefined` if it needs none. */
  readonly blockedSinceMs: number | undefined;
  /**
   * `blocked`: a person would have had to decide; `overtaken`: a newer one came first, or it did not stay long enough;
   * `waiting`: at the end.
   */
  readonly kind: "blocked" | "overtaken" | "waiting";
  /** The reasons against it in the end; a full sentence each. */
  readonly reasons: readonly string[];
}

/** A period in which a channel served one version. */
export interface Span {
  readonly version: ModuleVersion;
  readonly startMs: number;
  readonly endMs: number;
}

/** The real promotions of one level, and those by the policy. */
export interface LevelTotals {
  readonly level: Level;
  readonly real: RealTotals;
  readonly policy: PolicyTotals;
}

/** The real promotions, and how the policy judges them. The judgements and `undated` add up to `promoted`. */
export interface RealTotals extends Readonly<Record<PolicyJudgement["kind"], number>> {
  readonly promoted: number;
  /** How long the versions were in the followed channel before, without the `undated` ones. */
  readonly leadMs: Quartiles | undefined;
  /** Promotions in a gap, or whose version came into the followed channel in a gap. */
  readonly undated: number;
  /** Versions that came into the followed channel above the following channel's version, and no further. */
  readonly notPromoted: number;
}

/** The promotions by the policy. */
export interface PolicyTotals {
  readonly promoted: number;
  readonly leadMs: Quartiles | undefined;
  /** Versions that were candidates but never promoted. */
  readonly notPromoted: number;
  /** Those of them that needed a person's decision. */
  readonly blocked: number;
}

/**
 * A quarter of the values is below the first, half below the second, a quarter above the third. Milliseconds. Without
 * values there are none.
 */
export type Quartiles = readonly [first: number, median: number, third: number];
