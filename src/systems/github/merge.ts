import { Fault, type Merge, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { baseTip, movedSince, removeBranch } from "./branches.ts";
import { whyNotGreen } from "./checks.ts";
import type { Answer, Rest } from "./client.ts";
import { firstParent } from "./commits.ts";
import { GitHubFault, isAnswer, type Act } from "./faults.ts";
import { dispatchGate, isWorkflows } from "./gate.ts";
import type { Place } from "./signIn.ts";
import type { Site } from "./site.ts";

/** How often GitHub is asked whether it can merge: it works that out only once it was asked. */
const LOOKS = 4;

/** Squash keeps the base's history one commit per promotion; a repository may allow only the others. */
const METHODS = ["squash", "merge", "rebase"] as const;

/** Merges exactly the commit that the proposal is at, when everything allows it; says otherwise what it waits for. */
export async function merge(site: Site, proposal: Proposal, draft: ProposalDraft, run: Run): Promise<Merge> {
  const { pull, branch } = proposal;
  if (pull?.isOpen !== true) return waiting("it has no open pull request");
  if (proposal.digest !== draft.digest) return waiting("it does not say yet what was decided");
  if (!draft.isUrgent) site.github.keepReserve(`Merging ${branch}`);
  const now = await settled(site, pull.number, run);
  if (now.mergedAs !== undefined) return finish(site, branch, now.mergedAs, run);
  const why = whyNotReady(now, proposal, site.base) ?? (await whyNotChecked(site, proposal, now, run));
  if (why !== undefined) return waiting(why);
  const before = await baseTip(site, run);
  const move = movedSince(site, before, draft.base);
  if (move !== undefined) return waiting(move);
  const done = await mergeNow(site, now, draft, run);
  if (done.kind === "waiting") return done;
  await noteOwn(site, done.commit, before, run);
  return finish(site, branch, done.commit, run);
}

function waiting(why: string): Extract<Merge, { kind: "waiting" }> {
  return { kind: "waiting", why };
}

/** A pull request at one moment. */
interface PullNow {
  readonly number: number;
  readonly mergedAs: string | undefined;
  readonly isOpen: boolean;
  readonly isDraft: boolean;
  readonly tip: string;
  readonly author: string;
  /** `clean`, `dirty`, `blocked`, `behind`, `unstable`, `unknown`, … */
  readonly mergeable: string;
}

async function settled(site: Site, number: number, run: Run): Promise<PullNow> {
  const { clock, patience } = site.github;
  for (let look = 1; ; look++) {
    const now = await readPull(site, number, run);
    const isKnown = now.mergeable !== "unknown" || !now.isOpen;
    if (isKnown || look === LOOKS) return now;
    await clock.pause(patience.firstPauseMs * 2 ** look, run);
  }
}

async function readPull({ github }: Site, number: number, run: Run): Promise<PullNow> {
  const doing = `Reading the pull request #${number}`;
  const act: Act = { doing, kind: "read", permission: "pull-requests: read" };
  const pull = await github.ask(act, (rest, place) => rest.pulls.get({ ...place, pull_number: number }), run);
  return {
    number,
    mergedAs: pull.merged ? (pull.merge_commit_sha ?? pull.head.sha) : undefined,
    isOpen: pull.state === "open",
    isDraft: pull.draft ?? false,
    tip: pull.head.sha,
    author: pull.user.login,
    mergeable: pull.mergeable_state,
  };
}

/** What can be told without its checks. */
function whyNotReady(now: PullNow, { tip }: Proposal, base: string): string | undefined {
  if (!now.isOpen) return "it was closed";
  if (now.tip !== tip) return "its branch moved since it was looked at";
  if (now.isDraft) return "it is a draft";
  if (now.mergeable === "dirty") return `it has conflicts with ${base}`;
  if (now.mergeable === "unknown") return "GitHub does not know yet whether it can be merged";
  return undefined;
}

async function whyNotChecked(
  site: Site,
  { branch, tip }: Proposal,
  now: PullNow,
  run: Run,
): Promise<string | undefined> {
  const { github, base } = site;
  const reading: Act = { doing: `Reading the checks of #${now.number}`, kind: "read", permission: "checks: read" };
  const runs = [];
  for await (const page of github.pages(reading, (rest, place) => checkRuns(rest, { ...place, ref: tip }), run)) {
    runs.push(...page);
  }
  const status = await github.ask(
    { ...reading, permission: "statuses: read" },
    (rest, place) => rest.repos.getCombinedStatusForRef({ ...place, ref: tip }),
    run,
  );
  if (runs.length === 0 && isWorkflows(now.author)) {
    const isStarted = await dispatchGate(site, branch, now.number, run);
    const why = "no check ran: a pull request made with the workflow's own token starts none";
    return `${why}; the gate ${isStarted ? "was started" : "could not be started"}`;
  }
  const why = whyNotGreen(runs, { state: status.state, total: status.total_count });
  if (why !== undefined) return why;
  if (now.mergeable === "behind") return `it does not contain what ${base} is now, as the branch's protection asks for`;
  // All checks are green, so it is something that people do.
  return now.mergeable === "blocked"
    ? "a review is missing, or something else that the branch's protection asks for"
    : undefined;
}

type CheckRunAnswer = Awaited<ReturnType<Rest["checks"]["listForRef"]>>["data"]["check_runs"];

async function checkRuns(
  rest: Rest,
  parameters: Place & { readonly ref: string; readonly per_page: number; readonly page: number },
): Promise<Answer<CheckRunAnswer>> {
  const { data, headers } = await rest.checks.listForRef({ ...parameters, filter: "latest" });
  return { data: data.check_runs, headers };
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
async function finish(site: Site, branch: string, commit: string, run: Run): Promise<Merge> {
  try {
    await removeBranch(site, branch, run);
  } catch (error) {
    if (!(error instanceof GitHubFault)) throw error;
    run.log.warn("the branch of a merged proposal is left", { branch, problem: error.message });
  }
  return { kind: "merged", commit };
}
