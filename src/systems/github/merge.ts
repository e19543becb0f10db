import { Fault, type Merge, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { baseTip, movedSince, removeBranch } from "./branches.ts";
import { firstParent } from "./commits.ts";
import { GitHubFault, isAnswer, type Act } from "./faults.ts";
import { obstacle, whyNotChecked } from "./obstacles.ts";
import { readPull, settled, type PullNow } from "./pullNow.ts";
import type { Site } from "./site.ts";

/** Squash keeps the base's history one commit per promotion; a repository may allow only the others. */
const METHODS = ["squash", "merge", "rebase"] as const;

/** Merges exactly the commit that the proposal is at, when everything allows it; says otherwise what it waits for. */
export async function merge(site: Site, proposal: Proposal, draft: ProposalDraft, run: Run): Promise<Merge> {
  const { pull, branch, tip, digest } = proposal;
  if (pull?.isOpen !== true) return waiting("it has no open pull request");
  if (digest !== draft.digest) return waiting("it does not say yet what was decided");
  if (!draft.isUrgent) site.github.keepReserve(`Merging ${branch}`);
  // What waits costs one request a run: its checks are asked for until they are green, then whether it can be merged.
  const wasGreen = (await site.memory.recall()).green.has(tip);
  const early = wasGreen ? undefined : await whyNotChecked(site, proposal, pull.number, run);
  if (early !== undefined) return waiting(early);
  const now = await settled(site, pull.number, run);
  if (now.mergedAs !== undefined) return finish(site, branch, { tip: now.tip, commit: now.mergedAs }, run);
  const late = await obstacle(site, now, { proposal, draft, wasGreen }, run);
  return late === undefined ? mergeOnto(site, now, draft, run) : waiting(late);
}

/** Merges what may be merged, unless the base moved since it was decided. */
async function mergeOnto(site: Site, now: PullNow, draft: ProposalDraft, run: Run): Promise<Merge> {
  const before = await baseTip(site, run);
  const move = movedSince(site, before, draft.base);
  if (move !== undefined) {
    // It may have moved by another run's merge of the same.
    const { mergedAs } = await readPull(site, now.number, run);
    return mergedAs === undefined ? waiting(move) : finish(site, draft.branch, { tip: now.tip, commit: mergedAs }, run);
  }
  const done = await mergeNow(site, now, draft, run);
  if (done.kind === "waiting") return done;
  await noteOwn(site, done.commit, before, run);
  return finish(site, draft.branch, { tip: now.tip, commit: done.commit }, run);
}

function waiting(why: string): Extract<Merge, { kind: "waiting" }> {
  return { kind: "waiting", why };
}

/** Merges with the first method that the repository allows. */
async function mergeNow(site: Site, { number, tip }: PullNow, draft: ProposalDraft, run: Run): Promise<Merge> {
  const { github, base } = site;
  const [subject = "", ...rest] = draft.message.trim().split("\n");
  const message = { commit_title: subject, commit_message: rest.join("\n").trim() };
  const doing = `Merging the pull request #${number}`;
  // Of a commit that was merged already, GitHub says so.
  const act: Act = { doing, kind: "write", permission: "contents: write", branch: base };
  let refusal: GitHubFault | undefined;
  for (const merge_method of METHODS) {
    const parameters = { pull_number: number, sha: tip, merge_method, ...message };
    try {
      const { sha } = await github.ask(act, (rest, place) => rest.pulls.merge({ ...place, ...parameters }), run);
      return { kind: "merged", commit: sha };
    } catch (error) {
      if (!(error instanceof GitHubFault)) throw error;
      // Also after a refusal: an answer that got lost may have been that of a merge.
      const { mergedAs } = await readPull(site, number, run);
      if (mergedAs !== undefined) return { kind: "merged", commit: mergedAs };
      if (!isAnswer(error, 405, 409)) throw error;
      if (!/not allowed/i.test(error.words)) return waiting(`GitHub does not merge it yet (${error.words})`);
      refusal = error;
    }
  }
  const why = `${github.repository} allows no way to merge #${number}: allow squash merges in its settings.`;
  throw new Fault("FORGE_REFUSED", why, { cause: refusal });
}

/**
 * Remembers that the base went from `before` to `commit` by our own merge: what else was decided on it still holds.
 * GitHub takes the base as it finds it, so somebody's push may have slipped in between.
 */
async function noteOwn(site: Site, commit: string, before: string, run: Run): Promise<void> {
  try {
    if ((await firstParent(site, commit, run)) === before) site.ownMerges.set(commit, before);
  } catch (error) {
    if (!(error instanceof GitHubFault)) throw error;
    run.log.warn("what else was decided waits for the next run", { problem: error.message });
  }
}

/** What is merged stays merged, also when its branch cannot be removed. */
async function finish(
  site: Site,
  branch: string,
  { tip, commit }: { readonly tip: string; readonly commit: string },
  run: Run,
): Promise<Merge> {
  try {
    await removeBranch(site, branch, tip, run);
  } catch (error) {
    if (!(error instanceof GitHubFault)) throw error;
    run.log.warn("the branch of a merged proposal is left", { branch, problem: error.message });
  }
  return { kind: "merged", commit };
}
