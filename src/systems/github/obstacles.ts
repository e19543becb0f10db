import type { Proposal, ProposalDraft, Run } from "../../ports.ts";
import { baseTip, movedSince } from "./branches.ts";
import { whoAskForChanges, whyNotGreen, whyNotPassed } from "./checks.ts";
import type { Answer, Rest } from "./client.ts";
import { isAnswer, type Act } from "./faults.ts";
import { dispatchGate, GATE_CHECK, mayStartNothing } from "./gate.ts";
import { renew } from "./propose.ts";
import type { PullNow } from "./pullNow.ts";
import type { Place } from "./signIn.ts";
import type { Site } from "./site.ts";

/** What is to be merged. */
interface Judged {
  readonly proposal: Proposal;
  readonly draft: ProposalDraft;
  /** Whether its checks were green in another run: they may have turned red since. */
  readonly wasGreen: boolean;
}

/**
 * Why a pull request whose checks were green once is not to be merged, as half a sentence; `undefined`: it may be.
 * Brings its branch up to date where that is what is missing.
 */
export async function obstacle(
  site: Site,
  now: PullNow,
  { proposal, draft, wasGreen }: Judged,
  run: Run,
): Promise<string | undefined> {
  return (
    whyNotReady(now, proposal) ??
    (await whyNotMergeable(site, now, draft, run)) ??
    (wasGreen ? await whyNotChecked(site, proposal, now.number, run) : undefined) ??
    (await objection(site, now, run))
  );
}

function whyNotReady(now: PullNow, { tip }: Proposal): string | undefined {
  if (!now.isOpen) return "it was closed";
  if (now.tip !== tip) return "its branch moved since it was looked at";
  if (now.isDraft) return "it is a draft";
  if (now.mergeable === "unknown") return "GitHub does not know yet whether it can be merged";
  return now.mergeable === "blocked"
    ? "a review is missing, a check turned red since, or something else that the branch's protection asks for"
    : undefined;
}

/**
 * A branch that is behind, or in conflict, is set on top of the base, one in a run: with each merge all others fall
 * behind again.
 */
async function whyNotMergeable(site: Site, now: PullNow, draft: ProposalDraft, run: Run): Promise<string | undefined> {
  const { number, tip, mergeable } = now;
  const { base, renewed } = site;
  const why = { dirty: `it has conflicts with ${base}`, behind: `it does not contain what ${base} is now` }[mergeable];
  if (why === undefined) return undefined;
  if (renewed.size > 0) return `${why}: it comes after #${[...renewed].join(", #")}`;
  const head = await baseTip(site, run);
  const late = (await objection(site, now, run)) ?? movedSince(site, head, draft.base);
  if (late !== undefined) return late;
  renewed.add(number);
  // Not the base that it was decided on: what this run merged since is to be in it.
  await renew(site, { ...draft, base: head }, { tip, pull: number }, run);
  return `its checks: ${why}, so that it was set on top of that`;
}

/**
 * Why the checks of a proposal do not allow a merge yet. Remembers a commit whose checks are green, and starts a gate
 * that nothing else starts.
 */
export async function whyNotChecked(
  site: Site,
  { branch, tip }: Proposal,
  number: number,
  run: Run,
): Promise<string | undefined> {
  const { github } = site;
  const reading: Act = { doing: `Reading the checks of #${number}`, kind: "read", permission: "checks: read" };
  const runs = [];
  for await (const page of github.pages(reading, (rest, place) => checkRuns(rest, { ...place, ref: tip }), run)) {
    runs.push(...page.map(({ app, ...check }) => ({ ...check, app: app === null ? null : String(app.id) })));
  }
  if (!runs.some(({ name }) => name === GATE_CHECK) && mayStartNothing(site, number)) {
    const isStarted = await dispatchGate(site, branch, number, run);
    const why = "the gate did not run: a pull request made with the workflow's own token starts none";
    return `${why}; it ${isStarted ? "was started" : "could not be started"}`;
  }
  const why = whyNotGreen(runs, GATE_CHECK);
  if (why === undefined) {
    (await site.memory.recall()).green.add(tip);
    await site.memory.keep(run);
  }
  return why;
}

/** What keeps a pull request whose checks are green, and that the branch's protection would let in. */
async function objection(site: Site, { number, tip }: PullNow, run: Run): Promise<string | undefined> {
  const { github } = site;
  const doing = `Reading the reviews of #${number}`;
  const reviewing: Act = { doing, kind: "read", permission: "pull-requests: read" };
  const reviews = [];
  for await (const page of github.pages(
    reviewing,
    (rest, place) => rest.pulls.listReviews({ ...place, pull_number: number }),
    run,
  )) {
    reviews.push(...page.map(({ user, state }) => ({ reviewer: user?.login ?? null, state })));
  }
  for (const critic of whoAskForChanges(reviews))
    if (await mayWrite(site, critic, run)) return `${critic} asks for changes`;
  const status = await github.ask(
    { doing: `Reading the statuses of #${number}`, kind: "read", permission: "statuses: read" },
    (rest, place) => rest.repos.getCombinedStatusForRef({ ...place, ref: tip }),
    run,
  );
  return whyNotPassed({ state: status.state, total: status.total_count });
}

/** Whether GitHub lets somebody write to the repository. Who may not say so to us may be a maintainer all the same. */
async function mayWrite({ github }: Site, username: string, run: Run): Promise<boolean> {
  const act: Act = { doing: `Reading the permission of ${username}`, kind: "read", permission: "metadata: read" };
  try {
    const { permission } = await github.ask(
      act,
      (rest, place) => rest.repos.getCollaboratorPermissionLevel({ ...place, username }),
      run,
    );
    return permission === "admin" || permission === "write";
  } catch (error) {
    // An account that is gone has no right any more.
    if (isAnswer(error, 404)) return false;
    if (isAnswer(error, 403)) return true;
    throw error;
  }
}

type CheckRunAnswer = Awaited<ReturnType<Rest["checks"]["listForRef"]>>["data"]["check_runs"];

async function checkRuns(
  rest: Rest,
  parameters: Place & { readonly ref: string; readonly per_page: number; readonly page: number },
): Promise<Answer<CheckRunAnswer>> {
  const { data, headers } = await rest.checks.listForRef({ ...parameters, filter: "latest" });
  return { data: data.check_runs, headers };
}
