import type { ModuleVersion } from "../../catalogue/version.ts";
import { assess, groundOf } from "./assess.ts";
import { candidatesOf, standingOf } from "./candidates.ts";
import { policyFor } from "./policy.ts";
import { statesOf, type Facts, type Subject } from "./subject.ts";
import type { Assessment, Earliest, Verdict } from "./verdict.ts";

/**
 * Whether a module moves in one following channel, and why. A pure value of what was merged, what was observed, and the
 * time: deciding twice gives the same.
 */
export function decide(subject: Subject, facts: Facts): Verdict {
  const { module, channel, followed } = subject;
  const ground = groundOf(subject, policyFor(subject), facts);
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

/** What is to be said of one version, also where it is no candidate. A replay asks of one out of hundreds. */
export function assessAlone(version: ModuleVersion, subject: Subject, facts: Facts): Assessment {
  return assess(groundOf(subject, policyFor(subject), facts), version);
}

/** The highest that may move now; else the one that may move first; else the highest. */
function choose(candidates: readonly Assessment[]): Assessment | undefined {
  const waiting = candidates.flatMap((one) =>
    one.kind === "wait" && one.earliest !== undefined ? [{ one, soonestMs: soonestOf(one.earliest) }] : [],
  );
  const [first] = waiting.toSorted((a, b) => a.soonestMs - b.soonestMs);
  return candidates.find(({ kind }) => kind === "promote") ?? first?.one ?? candidates[0];
}

function soonestOf(earliest: Earliest): number {
  return earliest.kind === "at" ? earliest.atMs : earliest.notBeforeMs;
}
