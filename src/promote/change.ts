import type { Finding } from "../document/finding.ts";
import type { Forge, ForgeView, Proposal, ProposalDraft, Run } from "../ports.ts";

/** Dependencies for changing the repository. */
export interface ChangeContext {
  readonly forge: Forge;
  readonly view: ForgeView;
  /** Judges a change with the gate. Gives the errors that an approval does not lift. */
  readonly gate: (files: ReadonlyMap<string, string>, run: Run) => Promise<readonly Finding[]>;
}

/** A proposed change: newly opened, unchanged, or updated. */
export interface Proposed {
  readonly kind: "opened" | "unchanged" | "updated";
  readonly proposal: Proposal;
}

/** The outcome of a change. */
export type Changed = Proposed | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/**
 * Changes the repository: the gate judges a draft, which is then proposed on its branch in place of the `known` proposal.
 * Every change of catalogue files goes this way; a bump, which reports the whole verdict of the gate, proposes its draft
 * with `propose`. Idempotent: a killed call can be repeated. Throws what the
 * forge throws.
 */
export async function change(
  draft: ProposalDraft,
  known: Proposal | undefined,
  { gate, ...context }: ChangeContext,
  run: Run,
): Promise<Changed> {
  // Also an unchanged proposal: its checks judged an older base, and no forge repeats them when the base moves.
  const findings = await gate(draft.files, run);
  return findings.length > 0 ? { kind: "refused", findings } : propose(draft, known, context, run);
}

/** Proposes a draft that the gate has judged already: the second half of `change`. */
export async function propose(
  draft: ProposalDraft,
  known: Proposal | undefined,
  { forge, view }: Pick<ChangeContext, "forge" | "view">,
  run: Run,
): Promise<Proposed> {
  const proposal = await forge.propose(draft, known, run);
  if (known === undefined || !isStanding(known, view)) return { kind: "opened", proposal };
  const isSame = known.tip === proposal.tip && known.digest === proposal.digest;
  return { kind: isSame ? "unchanged" : "updated", proposal };
}

/** The open proposal on a branch. */
export function standingProposal(branch: string, view: ForgeView): Proposal | undefined {
  return view.proposals.find((one) => one.branch === branch && isStanding(one, view));
}

/** Whether a proposal is open: its pull request is, or, on a forge without pull requests, its branch exists. */
export function isStanding({ pull }: Proposal, { hasPulls }: ForgeView): boolean {
  return pull?.isOpen ?? !hasPulls;
}
