import { shortCommit } from "../../document/printable.ts";
import type { RecordedCommit } from "./history.ts";

/**
 * Says of a merge that the history of the branch may be a side branch of it, and what to do. `what` completes the sentence
 * about the merge and its parents.
 */
export function sideBranchText(
  { commit, parents, subject }: Pick<RecordedCommit, "commit" | "parents" | "subject">,
  what: string,
): string {
  return [
    `The merge ${shortCommit(commit)} (${JSON.stringify(subject)}) of ${parents.map(shortCommit).join(" and ")} ${what}.`,
    "It looks like a git pull of a rejected push, which makes the history of the branch a side branch.",
    "If nothing was built on it, restore the branch: git rebase the local commits onto its former commit, and push.",
    "Otherwise name the parent at which it was in kyma-modules.yaml: history: { knownCommits: [COMMIT] }.",
  ].join(" ");
}
