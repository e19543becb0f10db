import type { Finding } from "../document/finding.ts";
import type { Forge, ForgeView, Proposal, ProposalDraft, Run } from "../ports.ts";

/** What changing the repository takes. */
export interface ChangeContext {
  readonly forge: Forge;
  readonly view: ForgeView;
  /** What the gate finds wrong with a change: errors that an approval does not lift. */
  readonly gate: (files: ReadonlyMap<string, string>, run: Run) => Promise<readonly Finding[]>;
}

/** A change that is proposed; before, nothing was, or the very same, or something else. */
export interface Proposed {
  readonly kind: "opened" | "unchanged" | "updated";
  readonly proposal: Proposal;
}

/** What became of a change. */
export type Changed = Proposed | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/**
 * The one way in which this program changes the repository: a draft, judged by the gate, then proposed on its branch, in
 * place of what is known to stand there. May be killed and called again at any point. Throws what the forge throws.
 */
export async function change(
  draft: ProposalDraft,
  known: Proposal | undefined,
  { gate, ...context }: ChangeContext,
  run: Run,
): Promise<Changed> {
  // What stands there already was judged when it came, and is judged again by the checks of its pull request.
  const findings = known?.digest === draft.digest ? [] : await gate(draft.files, run);
  return findings.length > 0 ? { kind: "refused", findings } : propose(draft, known, context, run);
}

/** The second half of `change`, for what was judged before. */
export async function propose(
  draft: ProposalDraft,
  known: Proposal | undefined,
  { forge, view }: Pick<ChangeContext, "forge" | "view">,
  run: Run,
): Promise<Proposed> {
  const proposal = await forge.propose(draft, known, run);
  if (known === undefined || !isStanding(known, view)) return { kind: "opened", proposal };
  return { kind: known.digest === draft.digest ? "unchanged" : "updated", proposal };
}

/** Whether a proposal waits for somebody: a pull request that is open, or, where there are none, a branch. */
export function isStanding({ pull }: Proposal, { hasPulls }: ForgeView): boolean {
  return pull?.isOpen ?? !hasPulls;
}
