import { foreignText } from "../catalogue/proposalBranch.ts";
import { shellCommand } from "../document/shellWord.ts";
import { isSameTexts } from "../document/texts.ts";
import type { ForgeView, Proposal, ProposalDraft } from "../ports.ts";

/** The state of the forge, and what of it is of this program. */
export interface KnownProposals {
  readonly view: ForgeView;
  /** Whether a branch holds only what this program would write there. */
  readonly isOwn: (proposal: Proposal) => boolean;
}

/** Whether a branch holds exactly the decided files, whoever wrote them. */
export function isDecided({ content }: Proposal, draft: ProposalDraft | undefined): boolean {
  return draft !== undefined && content.others.length === 0 && isSameTexts(content.files, draft.files);
}

/** The advice about a branch that holds something else. */
export const DO_NOT_MERGE = "do not merge it without a review";

/** Why a branch is left alone: what it holds and by whom, `advice`, and how it is given back to this program. */
export function foreignWhy({ branch, tip, content }: Proposal, { hasPulls }: ForgeView, advice: string): string {
  const remove = hasPulls ? shellCommand`git push origin --delete ${branch}` : shellCommand`git branch -D ${branch}`;
  const giveBack = `to let promotion make it again, ${hasPulls ? "close it and " : ""}delete the branch (${remove})`;
  return `someone else committed to its branch (${foreignText(tip, content)}): ${advice}; ${giveBack}`;
}
