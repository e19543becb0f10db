import type { ChannelName, ModuleName } from "../../catalogue/names.ts";
import type { Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";

/** Whether a module moves in one following channel, and why. */
export interface Verdict {
  /**
   * - `promote`: `candidate` may be served now;
   * - `wait`: time or evidence is missing, and comes without anybody's decision;
   * - `blocked`: somebody has to decide or repair something;
   * - `nothing`: the channel serves what it can get.
   */
  readonly kind: "promote" | "wait" | "blocked" | "nothing";
  readonly module: ModuleName;
  readonly channel: ChannelName;
  readonly follows: ChannelName;
  /** What the channel serves now. */
  readonly current: ModuleVersion | undefined;
  /** What it is about; `undefined` only for `nothing`. */
  readonly chosen: Assessment | undefined;
  /** Every candidate, highest first, `chosen` among them. */
  readonly candidates: readonly Assessment[];
}

/** What is to be said of one candidate. */
export interface Assessment {
  readonly kind: "promote" | "wait" | "blocked";
  readonly version: ModuleVersion;
  readonly level: Level;
  /** Whether it goes by the hot-fix lane. */
  readonly isHotfix: boolean;
  /** All of them, the met ones, too: soak, evidence, calendar, people. */
  readonly reasons: readonly Reason[];
  /** `undefined` where that is unknown, and for `promote`. */
  readonly earliest: Earliest | undefined;
}

/** When a candidate may move. Unix milliseconds. */
export type Earliest =
  /** Only clocks stand between. */
  | { readonly kind: "at"; readonly atMs: number }
  /** Not before, and only once what is awaited is there: half a sentence each. */
  | { readonly kind: "not-before"; readonly notBeforeMs: number; readonly awaiting: readonly string[] };

/** What a reason is about. */
export type Topic =
  | "soak"
  | "smoke"
  | "approval"
  | "exposure"
  | "health"
  | "window"
  | "freeze"
  | "limit"
  | "together"
  | "hold"
  | "withdrawal"
  | "hot-fix"
  | "files";

/** One thing that lets a candidate pass, or keeps it. */
export interface Reason {
  readonly topic: Topic;
  /** `note` says something that keeps nobody. */
  readonly outcome: "met" | "waiting" | "blocking" | "note";
  /** A full sentence. */
  readonly message: string;
  /** What a person can do; a full sentence. */
  readonly remedy?: string;
  /** When it was met, or will be met by itself, where that is known. Unix milliseconds. */
  readonly metAtMs?: number;
  readonly source: ReasonSource | undefined;
}

/** Whether a reason keeps a candidate. */
export function isUnmet({ outcome }: Pick<Reason, "outcome">): boolean {
  return outcome === "waiting" || outcome === "blocking";
}

/** What keeps a candidate first of all: what blocks it, else what it waits for. */
export function firstUnmet({ reasons }: Pick<Assessment, "reasons">): Reason | undefined {
  return reasons.find(({ outcome }) => outcome === "blocking") ?? reasons.find(({ outcome }) => outcome === "waiting");
}

/** What a verdict that only time changes waits for: "soak and window". */
export function waitingTopics({ reasons }: Pick<Assessment, "reasons">): string {
  const topics = reasons.flatMap(({ outcome, topic }) => (outcome === "waiting" ? [topic] : []));
  return [...new Set(topics)].join(" and ");
}

/** Where a reason comes from. */
export type ReasonSource =
  | { readonly kind: "file"; readonly file: string; readonly line: number }
  | { readonly kind: "commit"; readonly commit: string }
  | { readonly kind: "evidence"; readonly source: string };
