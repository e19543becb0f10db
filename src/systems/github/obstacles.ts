import type { Proposal, ProposalDraft, Run } from "../../ports.ts";
import { baseTip, movedSince } from "./branches.ts";
import { hasGate, whyNotGreen } from "./checks.ts";
import { dispatchedGates, dispatchGate, mayStartNothing } from "./gate.ts";
import { whyNotEntered } from "./placeInQueue.ts";
import { renew } from "./propose.ts";
import type { PullNow } from "./pullNow.ts";
import type { Site } from "./site.ts";

/**
 * Why a pull request is not to be merged now, as half a sentence; `undefined`: it may be tried. A rule that blocks it is
 * no reason: who may pass it, only the attempt shows. Starts a gate that nothing else starts, and brings the branch up
 * to date where that is what is missing.
 */
export async function obstacle(
  site: Site,
  now: PullNow,
  { proposal, draft }: { readonly proposal: Proposal; readonly draft: ProposalDraft },
  run: Run,
): Promise<string | undefined> {
  return (
    whyNotReady(now, proposal) ??
    (await whyNotChecked(site, now, proposal, run)) ??
    whyNotAgreed(now) ??
    (now.mergeable === "unknown" ? "GitHub does not know yet whether it can be merged" : undefined) ??
    (await whyNotMergeable(site, now, draft, run)) ??
    whyNotEntered(now.queue)
  );
}

/** The same, as far as the pull request itself tells it, whether it can be merged aside. */
export function whyNotYet(now: PullNow, proposal: Proposal): string | undefined {
  return whyNotReady(now, proposal) ?? whyNotGreen(now) ?? whyNotAgreed(now);
}

function whyNotReady(now: PullNow, { tip }: Proposal): string | undefined {
  if (!now.isOpen) return "it was closed";
  if (now.tip !== tip) return "its branch moved since it was looked at";
  if (now.isDraft) return "it is a draft";
  return now.queue.kind === "in" ? whyNotEntered(now.queue) : undefined;
}

function whyNotAgreed({ critics }: PullNow): string | undefined {
  return critics.length === 0
    ? undefined
    : `${critics.join(", ")} ${critics.length === 1 ? "asks" : "ask"} for changes`;
}

/** Why the checks of a proposal do not allow a merge yet. */
async function whyNotChecked(site: Site, now: PullNow, { branch }: Proposal, run: Run): Promise<string | undefined> {
  if (hasGate(now) || !mayStartNothing(site, now.number)) return whyNotGreen(now);
  const dispatched = await dispatchedGates(site, now, run);
  if (dispatched.length > 0) return whyNotGreen({ ...now, checks: [...now.checks, ...dispatched] });
  const isStarted = await dispatchGate(site, branch, now.number, run);
  const why = "the gate did not run: a pull request made with the workflow's own token starts none";
  return `${why}; it ${isStarted ? "was started" : "could not be started"}`;
}

/**
 * A branch that is behind, or in conflict, is set on top of the base, one in a run: with each merge all others fall
 * behind again. A merge queue does that itself for those that are merely behind.
 */
async function whyNotMergeable(
  site: Site,
  { number, tip, mergeable, queue }: PullNow,
  draft: ProposalDraft,
  run: Run,
): Promise<string | undefined> {
  const { base, renewed } = site;
  const behind = queue.kind === "none" ? `it does not contain what ${base} is now` : undefined;
  const why = { dirty: `it has conflicts with ${base}`, behind }[mergeable];
  if (why === undefined) return undefined;
  if (renewed.size > 0) return `${why}: it comes after #${[...renewed].join(", #")}`;
  const head = await baseTip(site, run);
  const move = movedSince(site, head, draft.base);
  if (move !== undefined) return move;
  renewed.add(number);
  // Not the base that it was decided on: what this run merged since is to be in it.
  await renew(site, { ...draft, base: head }, { tip, pull: number }, run);
  return `its checks: ${why}, so that it was set on top of that`;
}
