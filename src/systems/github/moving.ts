import type { Proposal, Run } from "../../ports.ts";
import { areRunning, whyNotGreen } from "./checks.ts";
import { readPull } from "./pullNow.ts";
import type { GitHubRepository } from "./repository.ts";

/**
 * Whether an open pull request will be merged without a person: a queue has it, its checks run, or they are green and
 * only its branch or GitHub's answer is out of date.
 */
export async function isMoving(repository: GitHubRepository, { pull }: Proposal, run: Run): Promise<boolean> {
  if (pull?.isOpen !== true) return false;
  const { queue, isDraft, critics, mergeable, ...findings } = await readPull(repository, pull.number, run);
  if (queue.kind === "in") return queue.isMergeable;
  const isDue = whyNotGreen(findings) === undefined && ["behind", "dirty", "unknown"].includes(mergeable);
  return findings.isOpen && !isDraft && critics.length === 0 && (isDue || areRunning(findings));
}
