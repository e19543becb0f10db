import type { Revision } from "../../catalogue/history/history.ts";
import type { ServedStep } from "../timeline/timeline.ts";
import { instantText } from "../../document/times.ts";
import type { Claim } from "../timeline/trailers.ts";

/** Why the verdict of a promotion is not decided again; full sentences. */
export type VerdictBlocker =
  /** It cannot be right, whatever would be decided. */
  | { readonly kind: "differs"; readonly why: readonly string[] }
  /** What it was decided on is not at hand. `basis`: only evidence is missing, and this is there. */
  | { readonly kind: "not-recomputable"; readonly why: string; readonly basis?: Recomputable };

/** What a verdict is decided again on. */
export interface Recomputable {
  readonly kind: "recomputable";
  /** The place of the commit in the first-parent history. */
  readonly decidedOn: Revision;
  /** Unix milliseconds. */
  readonly decidedAtMs: number;
}

/** What of a claim can be looked up. */
export interface AtHand {
  /** First-parent commits by their names. */
  readonly revisions: ReadonlyMap<string, Revision>;
  /** Of the files of evidence that were read. */
  readonly evidence: ReadonlySet<string>;
}

/** Whether the verdict that a step claims can be decided again. A clone has the commits; evidence has to be given. */
export function examineClaim(step: ServedStep, claim: Claim, atHand: AtHand): Recomputable | VerdictBlocker {
  const { decidedAtMs } = claim;
  const decidedOn = atHand.revisions.get(claim.decidedOn ?? "");
  if (claim.version !== step.to)
    return differs(`Its commit says that it promotes ${claim.version}, and ${step.to ?? "nothing"} was served then.`);
  if (decidedAtMs === undefined || claim.verdict === undefined)
    return notRecomputable("Its commit does not say when it was decided, or what.");
  if (claim.decidedOn === undefined) return notRecomputable("It was decided on a commit that it does not name.");
  // Nothing is missing: what is cut off is refused before.
  if (decidedOn === undefined) return differs(unknownCommit(claim.decidedOn));
  const why = impossibleTimes(step, decidedOn, decidedAtMs);
  if (why !== undefined) return differs(why);
  const missing = claim.evidence.filter((digest) => !atHand.evidence.has(digest));
  const basis: Recomputable = { kind: "recomputable", decidedOn, decidedAtMs };
  if (missing.length === 0) return basis;
  const need = `It was decided on evidence that is not at hand; --evidence FILE: ${missing.join(", ")}.`;
  return { kind: "not-recomputable", why: need, basis };
}

function unknownCommit(decidedOn: string): string {
  return `It says that it was decided on ${decidedOn}, which is not a commit of this first-parent history.`;
}

/** The forge says when it merged, the machine that decided says when it did: their clocks are not quite the same. */
const CLOCKS_APART_MS = 60_000;

function impossibleTimes({ revision }: ServedStep, decidedOn: Revision, decidedAtMs: number): string | undefined {
  if (decidedOn.index >= revision.index)
    return `It says that it was decided on ${decidedOn.commit}, which did not come before it.`;
  if (decidedAtMs <= revision.atMs + CLOCKS_APART_MS) return undefined;
  return `It was merged at ${instantText(revision.atMs)}, before it was decided, at ${instantText(decidedAtMs)}.`;
}

function differs(why: string): VerdictBlocker {
  return { kind: "differs", why: [why] };
}

function notRecomputable(why: string): VerdictBlocker {
  return { kind: "not-recomputable", why };
}
