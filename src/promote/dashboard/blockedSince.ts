import { momentsOf, type Moment } from "../simulate/moments.ts";
import { Services } from "../verdict/clocks.ts";
import { decide } from "../verdict/decide.ts";
import { historyAt } from "../verdict/historyAt.ts";
import { heldPeriods } from "../verdict/holding.ts";
import type { Facts, Subject } from "../verdict/subject.ts";

/**
 * Since when a module is blocked in a channel without a break, by today's policy: the merge, the observation or the end
 * of a hold that began it.
 *
 * Gives:  Unix milliseconds; `undefined` where it is not blocked, or only by what no history dates: a proposed hold, or
 *         files that contradict one another.
 */
export function blockedSince(subject: Subject, facts: Facts): number | undefined {
  const services = new Services(subject, facts.history, facts.evidence);
  const isBlockedAt = ({ index, atMs }: Moment): boolean =>
    decide(subject, {
      history: historyAt(facts.history, index),
      evidence: facts.evidence,
      proposedHolds: [],
      nowMs: atMs,
      services,
    }).kind === "blocked";
  const moments = turningPoints(subject, facts);
  const free = moments.findLastIndex((moment) => !isBlockedAt(moment));
  return moments[free + 1]?.atMs;
}

/** The moments at which a verdict may have turned, oldest first; the last one is now. */
function turningPoints(subject: Subject, { history, evidence, nowMs }: Facts): readonly Moment[] {
  const moments = momentsOf(subject, history, evidence, { fromMs: 0, untilMs: nowMs });
  const ends = heldPeriods(subject, history).flatMap(({ endMs }) => (endMs < nowMs ? [endMs] : []));
  const clocks = [...ends, nowMs].map((atMs): Moment => {
    return { index: Math.max(...moments.map((moment) => (moment.atMs <= atMs ? moment.index : -1))), atMs };
  });
  return [...moments, ...clocks].toSorted((one, other) => one.atMs - other.atMs || one.index - other.index);
}
