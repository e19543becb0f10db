import { assess, groundOf } from "./assess.ts";
import { candidatesOf, standingOf } from "./candidates.ts";
import { policyOf } from "./policy.ts";
import { statesOf, type Facts, type Subject } from "./subject.ts";
import type { Assessment, Verdict } from "./verdict.ts";

/**
 * Whether a module moves in one following channel, and why. A pure value of what was merged, what was observed, and the
 * time: deciding twice gives the same.
 */
export function decide(subject: Subject, facts: Facts): Verdict {
  const { module, channel, followed, said } = subject;
  const policy = policyOf(channel.promotion, said?.says.policy?.[channel.name]);
  const ground = groundOf(subject, policy, facts);
  const candidates = candidatesOf(subject, facts.history).map((version) => assess(ground, version));
  const chosen = choose(candidates);
  const { current } = standingOf(statesOf(facts.history, channel.name));
  return {
    kind: chosen?.kind ?? "nothing",
    module,
    channel: channel.name,
    follows: followed.name,
    current,
    chosen,
    candidates,
  };
}

/** The highest that may move now; else the one that may move first; else the highest. */
function choose(candidates: readonly Assessment[]): Assessment | undefined {
  const waiting = candidates.filter(({ kind }) => kind === "wait").toSorted((a, b) => soonestMs(a) - soonestMs(b));
  return candidates.find(({ kind }) => kind === "promote") ?? waiting[0] ?? candidates[0];
}

/** Where nobody can tell, last. */
function soonestMs({ earliest }: Assessment): number {
  switch (earliest?.kind) {
    case "at":
      return earliest.atMs;
    case "not-before":
      return earliest.notBeforeMs;
    case undefined:
      return Number.MAX_VALUE;
  }
}
