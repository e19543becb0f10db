import type { Revision } from "../../catalogue/history/history.ts";
import type { ServedStep } from "../timeline/timeline.ts";
import { CLOCKS_APART_MS, instantText } from "../../document/times.ts";
import type { Claim } from "../timeline/trailers.ts";

/** Why the verdict of a promotion cannot be repeated; full sentences. */
export type VerdictBlocker =
  /** The claim cannot be right, whatever a repeated verdict says. */
  | { readonly kind: "differs"; readonly why: readonly string[] }
  /** The input of the decision is not available. `basis`: only evidence is missing; this is the rest. */
  | { readonly kind: "not-recomputable"; readonly why: string; readonly basis?: Recomputable };

/** The input for repeating a verdict. */
export interface Recomputable {
  readonly kind: "recomputable";
  /** The place of the commit in the first-parent history. */
  readonly decidedOn: Revision;
  /** Unix milliseconds. */
  readonly decidedAtMs: number;
}

/** The commits and the evidence that claims can be checked against. */
export interface AtHand {
  /** First-parent commits by their hashes. */
  readonly revisions: ReadonlyMap<string, Revision>;
  /** The digests of the evidence files that were read. */
  readonly evidence: ReadonlySet<string>;
}

/** Checks whether the verdict that a step claims can be repeated. A clone has the commits; evidence must be given. */
export function examineClaim(step: ServedStep, claim: Claim, atHand: AtHand): Recomputable | VerdictBlocker {
  const { decidedAtMs } = claim;
  const decidedOn = atHand.revisions.get(claim.decidedOn ?? "");
  if (claim.version !== step.to)
    return differs(`Its commit says that it promotes ${claim.version}, but ${step.to ?? "nothing"} was served then.`);
  if (decidedAtMs === undefined || claim.verdict === undefined)
    return notRecomputable("Its commit does not say when it was decided, or what.");
  if (claim.decidedOn === undefined) return notRecomputable("It was decided on a commit that it does not name.");
  // The history is complete: a shallow clone is refused earlier.
  if (decidedOn === undefined)
    return differs(
      `It says that it was decided on ${claim.decidedOn}, which is not a commit of this first-parent history.`,
    );
  const why = impossibleTimes(step, decidedOn, decidedAtMs);
  if (why !== undefined) return differs(why);
  const missing = claim.evidence.filter((digest) => !atHand.evidence.has(digest));
  const basis: Recomputable = { kind: "recomputable", decidedOn, decidedAtMs };
  if (missing.length === 0) return basis;
  const need = `It was decided on evidence that is not available. Name it with --evidence FILE: ${missing.join(", ")}.`;
  return { kind: "not-recomputable", why: need, basis };
}

function impossibleTimes({ revision }: ServedStep, decidedOn: Revision, decidedAtMs: number): string | undefined {
  if (decidedOn.index >= revision.index)
    return `It says that it was decided on ${decidedOn.commit}, which did not come before it.`;
  // The forge dates the merge.
  if (decidedAtMs <= revision.atMs + CLOCKS_APART_MS) return undefined;
  return `It was merged at ${instantText(revision.atMs)}, before it was decided, at ${instantText(decidedAtMs)}.`;
}

function differs(why: string): VerdictBlocker {
  return { kind: "differs", why: [why] };
}

function notRecomputable(why: string): VerdictBlocker {
  return { kind: "not-recomputable", why };
}
