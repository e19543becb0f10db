import { promotionBranch } from "../draft.ts";
import type { Gathered } from "../gather.ts";
import { type Moment, replayMoments } from "../simulate/moments.ts";
import { type Status, promotionStatus } from "../status.ts";
import { Services } from "../verdict/clocks.ts";
import { decide } from "../verdict/decide.ts";
import { historyAt } from "../../catalogue/history/moduleHistory.ts";
import { heldPeriods } from "../verdict/holding.ts";
import { NO_STRAYS, type VerdictFacts, type Subject, subjectIn } from "../verdict/subject.ts";
import type { DashboardCache } from "./cache.ts";

/** The status of one module in one channel, and what the dashboard adds to it. */
export interface DashboardRow {
  readonly status: Status;
  /** `undefined` if it is not blocked. */
  readonly blocked: BlockedTime | undefined;
  /** The commit with which this run merged its promotion. */
  readonly mergedAs: string | undefined;
}

/** Since when something is blocked. Unix milliseconds. */
interface BlockedTime {
  readonly sinceMs: number;
  /** Whether that is only when it was first seen, since no merge dates it. */
  readonly isSeen: boolean;
}

/**
 * The rows of every module in every channel.
 *
 * Takes:  `mergedAs`, the commits of this run's merges by branch.
 */
export function dashboardRows(
  gathered: Gathered,
  mergedAs: ReadonlyMap<string, string>,
  cache: Pick<DashboardCache, "seen">,
): readonly DashboardRow[] {
  return promotionStatus(gathered).map((status) => ({
    status,
    blocked: blockedTime(status, gathered, cache),
    mergedAs: mergedAs.get(promotionBranch(status)),
  }));
}

function blockedTime(
  status: Status,
  gathered: Gathered,
  { seen }: Pick<DashboardCache, "seen">,
): BlockedTime | undefined {
  const subject = subjectIn(gathered.catalogue, status.module, status.channel);
  if (subject === undefined || status.verdict?.kind !== "blocked") return undefined;
  const sinceMs = blockedSince(subject, gathered.factsOf(subject));
  if (sinceMs !== undefined) return { sinceMs, isSeen: false };
  return { sinceMs: seen.get(placeName(status)) ?? gathered.nowMs, isSeen: true };
}

/** The data that a later run needs about blocks that no history dates. */
export function seenIn(rows: readonly DashboardRow[]): DashboardCache["seen"] {
  return new Map(
    rows.flatMap(({ status, blocked }): [string, number][] =>
      blocked?.isSeen === true ? [[placeName(status), blocked.sinceMs]] : [],
    ),
  );
}

/** The name of a module in a channel, for people. */
export function placeName({ channel, module }: Pick<Status, "channel" | "module">): string {
  return `${channel}/${module}`;
}

/**
 * Since when a module is blocked in a channel without a break, by today's policy: the merge, the observation or the end
 * of a hold with which the block began.
 *
 * Gives:  Unix milliseconds; `undefined` if it is not blocked, or only by what no history dates: a proposed hold, or
 *         files that contradict one another.
 */
export function blockedSince(subject: Subject, facts: VerdictFacts): number | undefined {
  const services = new Services(subject, facts.history, facts.evidence);
  const isBlockedAt = ({ index, atMs }: Moment): boolean =>
    decide(subject, {
      history: historyAt(facts.history, index),
      evidence: facts.evidence,
      proposedHolds: [],
      strays: NO_STRAYS,
      nowMs: atMs,
      services,
    }).kind === "blocked";
  const moments = turningPoints(subject, facts);
  const free = moments.findLastIndex((moment) => !isBlockedAt(moment));
  return moments[free + 1]?.atMs;
}

/** The moments at which a verdict may have changed, oldest first; the last one is now. */
function turningPoints(subject: Subject, { history, evidence, nowMs }: VerdictFacts): readonly Moment[] {
  const moments = replayMoments(subject, history, evidence, { fromMs: 0, untilMs: nowMs });
  const ends = heldPeriods(subject, history).flatMap(({ endMs }) => (endMs < nowMs ? [endMs] : []));
  const clocks = [...ends, nowMs].map((atMs): Moment => {
    return { index: Math.max(...moments.map((moment) => (moment.atMs <= atMs ? moment.index : -1))), atMs };
  });
  return [...moments, ...clocks].toSorted((one, other) => one.atMs - other.atMs || one.index - other.index);
}
