import { isUnmet, type Reason } from "../verdict/verdict.ts";

/** The sentences of those of `reasons` that keep a version, each once; of its clocks only the one that keeps it longest. */
export function unmet(reasons: readonly Reason[]): readonly string[] {
  const keeping = keepingOf(reasons);
  const clock = slowestOf(keeping);
  return sentencesOf(keeping.filter((reason) => reason.topic !== "soak" || reason === clock));
}

/**
 * What kept a version in the end, and what else had kept it at `then`. Of one topic, such as its clocks, only the end is
 * told: that is why it never came to it.
 */
export function neverMet(then: readonly Reason[], end: readonly Reason[]): readonly string[] {
  const last = keepingOf(end).filter(({ outcome }) => outcome === "blocking");
  const before = keepingOf(then).filter(({ topic }) => last.every((reason) => reason.topic !== topic));
  return unmet([...before, ...last]);
}

/** `text` with a full stop, also where a person who wrote the end of it set none. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function keepingOf(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(isUnmet);
}

/** Where several are as slow, the line of the highest level, which asks for most. */
function slowestOf(keeping: readonly Reason[]): Reason | undefined {
  const metAt = ({ metAtMs = Number.POSITIVE_INFINITY }: Reason): number => metAtMs;
  return keeping
    .filter(({ topic }) => topic === "soak")
    .reduce<Reason | undefined>((slowest, one) => (slowest && metAt(slowest) > metAt(one) ? slowest : one), undefined);
}

function sentencesOf(reasons: readonly Reason[]): readonly string[] {
  return [...new Set(reasons.map(({ message }) => sentence(message)))];
}
