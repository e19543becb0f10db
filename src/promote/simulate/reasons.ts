import { isUnmet, type Reason, sentence } from "../verdict/verdict.ts";

/** The sentences of the unmet `reasons`, without duplicates. Of several clocks, only the slowest is included. */
export function unmet(reasons: readonly Reason[]): readonly string[] {
  const keeping = keepingOf(reasons);
  const metAt = ({ metAtMs = Number.POSITIVE_INFINITY }: Reason): number => metAtMs;
  // If several are equally slow, it is the line of the highest level, which demands most.
  const clock = keeping
    .filter(({ topic }) => topic === "soak")
    .reduce<Reason | undefined>((slowest, one) => (slowest && metAt(slowest) > metAt(one) ? slowest : one), undefined);
  const kept = keeping.filter((reason) => reason.topic !== "soak" || reason === clock);
  return [...new Set(kept.map(({ message }) => sentence(message)))];
}

/**
 * The reasons that blocked a version in the end, and other reasons that kept it back at `then`. For a topic in both,
 * such as clocks, only the end counts: it is why the version never moved.
 */
export function neverMet(then: readonly Reason[], end: readonly Reason[]): readonly string[] {
  const last = keepingOf(end).filter(({ outcome }) => outcome === "blocking");
  const before = keepingOf(then).filter(({ topic }) => last.every((reason) => reason.topic !== topic));
  return unmet([...before, ...last]);
}

function keepingOf(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(isUnmet);
}
