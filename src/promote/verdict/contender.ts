import type { ModuleName } from "../../catalogue/names.ts";
import type { Subject } from "./subject.ts";
import type { Assessment, Earliest, Reason, Verdict } from "./verdict.ts";

/** A verdict and its subject. */
export interface Contender {
  readonly subject: Subject;
  readonly verdict: Verdict;
  /** The modules that move in one pull request, this one included, in the order of `together`. */
  readonly group?: readonly ModuleName[];
}

/** The module whose branch carries out a verdict: the first of its group, or its own. */
export function leadingModule({ verdict, group }: Pick<Contender, "verdict" | "group">): ModuleName {
  return group?.[0] ?? verdict.module;
}

/** Adds reasons against the chosen candidate, and against all that may move: these wait then, or are blocked. */
export function keep(
  { group: _, ...contender }: Contender,
  reasons: readonly Reason[],
  earliest?: Earliest,
): Contender {
  const { chosen } = contender.verdict;
  return reassess(contender, (one) => {
    if (one.version !== chosen?.version && one.kind !== "promote") return one;
    const all = [...one.reasons, ...reasons];
    return {
      ...one,
      kind: all.some(({ outcome }) => outcome === "blocking") ? "blocked" : "wait",
      reasons: all,
      earliest,
    };
  });
}

/** Changes the candidates of a contender, the chosen one among them. */
export function reassess(contender: Contender, change: (one: Assessment) => Assessment): Contender {
  const { verdict } = contender;
  const candidates = verdict.candidates.map(change);
  const chosen = candidates.find(({ version }) => version === verdict.chosen?.version);
  return { ...contender, verdict: { ...verdict, kind: chosen?.kind ?? "nothing", chosen, candidates } };
}
