import type { ChannelName, ModuleName } from "../../catalogue/names.ts";
import type { Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import type { ReadyPeriod } from "./interval.ts";

/** The decision whether a module moves in one following channel, and why. */
export interface Verdict {
  /**
   * - `promote`: `chosen` may be served now;
   * - `wait`: time or evidence is missing, and comes without a person's decision;
   * - `blocked`: a person must decide or repair something;
   * - `nothing`: the channel serves what it can get.
   */
  readonly kind: "promote" | "wait" | "blocked" | "nothing";
  readonly module: ModuleName;
  readonly channel: ChannelName;
  readonly follows: ChannelName;
  /** What the channel serves now. */
  readonly current: ModuleVersion | undefined;
  /** The candidate that the verdict is about; `undefined` only for `nothing`. */
  readonly chosen: Assessment | undefined;
  /** Every candidate, highest first, `chosen` among them. */
  readonly candidates: readonly Assessment[];
}

/** The assessment of one candidate. */
export interface Assessment {
  readonly kind: "promote" | "wait" | "blocked";
  readonly version: ModuleVersion;
  readonly level: Level;
  /** Whether it uses the hot-fix lane. */
  readonly isHotfix: boolean;
  /** All reasons, including those that are met: soak, evidence, calendar, people. */
  readonly reasons: readonly Reason[];
  /** `undefined` if unknown, and for `promote`. */
  readonly earliest: Earliest | undefined;
  /**
   * When everything but windows, freezes and limits is met; now at the earliest, and until evidence gets too old.
   * `undefined` if more than time is missing.
   */
  readonly ready?: ReadyPeriod | undefined;
}

/** When a candidate may move. Unix milliseconds. */
export type Earliest =
  /** Only time is missing. */
  | { readonly kind: "at"; readonly atMs: number }
  /** Not before this time, and only once everything that is awaited has come; a sentence each. */
  | { readonly kind: "not-before"; readonly notBeforeMs: number; readonly awaiting: readonly string[] };

/** The lower bound of an instant. Unix milliseconds; `Infinity` if unknown. */
export function soonestMs(earliest: Earliest | undefined): number {
  if (earliest === undefined) return Number.POSITIVE_INFINITY;
  return earliest.kind === "at" ? earliest.atMs : earliest.notBeforeMs;
}

/** What is awaited if figures that count now are too old when everything else is met. */
export const STALE_BY_THEN = "Newer figures of the health of its clusters are needed by then.";

/** The subject matter of a reason. */
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

/** One reason that lets a candidate pass, or keeps it back. */
export interface Reason {
  readonly topic: Topic;
  /** `note` is information that keeps nothing back. */
  readonly outcome: "met" | "waiting" | "blocking" | "note";
  /** A full sentence. */
  readonly message: string;
  /** What a person can do; a full sentence. */
  readonly remedy?: string;
  /** When it was met, or will be met by itself, where that is known. Unix milliseconds. */
  readonly metAtMs?: number;
  readonly source: ReasonSource | undefined;
}

/** Whether a reason keeps a candidate back. */
export function isUnmet({ outcome }: Pick<Reason, "outcome">): boolean {
  return outcome === "waiting" || outcome === "blocking";
}

/** The most important unmet reason: the first that blocks, else the first that waits. */
export function firstUnmet({ reasons }: Pick<Assessment, "reasons">): Reason | undefined {
  return reasons.find(({ outcome }) => outcome === "blocking") ?? reasons.find(({ outcome }) => outcome === "waiting");
}

const OPENINGS: readonly Topic[] = ["window", "freeze", "limit"];

/** Whether a candidate waits only for an opening: of the calendar, or of a limit. */
export function waitsForOpening({ kind, reasons }: Pick<Assessment, "kind" | "reasons">): boolean {
  return kind === "wait" && reasons.filter(isUnmet).every(({ topic }) => OPENINGS.includes(topic));
}

/** Whether a module waits only because others have the places in a window of its channel. */
export function waitsForPlace({ kind, chosen }: Verdict): boolean {
  return kind === "wait" && chosen?.reasons.some((reason) => reason.topic === "limit" && isUnmet(reason)) === true;
}

/** The topics that a candidate waits for: "soak and window". */
export function waitingTopics({ reasons }: Pick<Assessment, "reasons">): string {
  const topics = reasons.flatMap(({ outcome, topic }) => (outcome === "waiting" ? [topic] : []));
  return [...new Set(topics)].join(" and ");
}

/** The source of a reason. */
export type ReasonSource =
  | { readonly kind: "file"; readonly file: string; readonly line: number }
  | { readonly kind: "commit"; readonly commit: string }
  | { readonly kind: "evidence"; readonly source: string };

/** `text` with a full stop, even if a person ended it without one. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
