import { shortCommit } from "../document/printable.ts";
import type { Finding } from "../document/finding.ts";
import { Fault, type Forge, type ForgeView, type Proposal, type ProposalDraft, type Run } from "../ports.ts";
import { compareVersions, parseVersion } from "../catalogue/version.ts";
import type { ModuleName } from "../catalogue/names.ts";
import { plain } from "./body.ts";
import { change, isStanding, standingProposal, type ChangeContext } from "./change.ts";
import { promotionBranch } from "./draft.ts";
import { DO_NOT_MERGE, foreignWhy, isDecided, type KnownProposals } from "./foreign.ts";
import { proposedStep } from "./proposed.ts";
import { isUnmet, waitsForOpening, type Verdict } from "./verdict/verdict.ts";

/** The action at the forge that a verdict leads to. */
export type Act =
  /** Propose `draft`; with `merge`, also merge it as soon as the forge allows. */
  | {
      readonly kind: "propose";
      readonly draft: ProposalDraft;
      readonly known: Proposal | undefined;
      readonly merge: boolean;
    }
  | { readonly kind: "close"; readonly proposal: Proposal; readonly why: string }
  /** Leave an open proposal unmerged, or close it with `closing` if a merge queue would merge it meanwhile. */
  | { readonly kind: "pause"; readonly proposal: Proposal; readonly why: string; readonly closing: string }
  /** No proposal is open. A killed run may have left a merged branch behind, which `Forge.close` deletes. */
  | { readonly kind: "tidy"; readonly proposal: Proposal | undefined }
  /** Change nothing. `why`: half a sentence, if there is a reason to give. */
  | { readonly kind: "leave"; readonly proposal: Proposal | undefined; readonly why: string | undefined }
  /** Leave a branch that holds what this program did not put there, and warn on its pull request. */
  | { readonly kind: "foreign"; readonly proposal: Proposal; readonly why: string }
  /** Leave a branch that someone else committed to, unless it was merged as it is: then it is deleted. */
  | { readonly kind: "leave-unmerged"; readonly proposal: Proposal; readonly why: string };

/** The outcome of an act. */
export type ActOutcome =
  | {
      readonly kind: "opened" | "updated" | "unchanged";
      readonly proposal: Proposal;
      readonly waitsFor: string | undefined;
    }
  /** `files`: what it brought to the base. */
  | ({ readonly kind: "merged"; readonly proposal: Proposal; readonly commit: string } & Pick<ProposalDraft, "files">)
  | { readonly kind: "closed"; readonly proposal: Proposal; readonly why: string }
  | { readonly kind: "left"; readonly proposal: Proposal | undefined; readonly why: string | undefined }
  /** The gate refuses the change. `proposal`: an earlier one, which stays. */
  | { readonly kind: "refused"; readonly proposal: Proposal | undefined; readonly findings: readonly Finding[] }
  | { readonly kind: "failed"; readonly fault: Fault };

/**
 * Decides what to do about a verdict, from the verdict and the state of the forge alone.
 *
 * Takes:  `draft`, only for a verdict `promote`; `merges`, whether the policy allows an automatic merge.
 */
export function actOn(
  verdict: Verdict,
  draft: ProposalDraft | undefined,
  merges: boolean,
  { view, isOwn }: KnownProposals,
): Act {
  const known = view.proposals.find(({ branch }) => branch === promotionBranch(verdict));
  const fresh: Act =
    draft === undefined ? { kind: "tidy", proposal: known } : { kind: "propose", draft, known, merge: merges };
  if (known === undefined) return fresh;
  const isOpen = isStanding(known, view);
  if (isOpen && draft === undefined && isRefusedHotfix(verdict, known))
    return { kind: "leave", proposal: undefined, why: undefined };
  if (!isOwn(known) && !isDecided(known, draft)) return onForeign(verdict, draft, known, view);
  return isOpen ? onStanding(verdict, draft, merges, known) : fresh;
}

/**
 * Decides what to do about a verdict that the proposal of `first` carries out. A separate hot-fix is left to the people
 * who asked for it.
 */
export function moveWith(first: ModuleName, verdict: Verdict, { view, isOwn }: KnownProposals): Act {
  const { channel, module } = verdict;
  const known = standingProposal(promotionBranch(verdict), view);
  const proposal = view.proposals.find(({ branch }) => branch === promotionBranch({ channel, module: first }));
  const why = `it moves together with ${first}`;
  if (known === undefined) return { kind: "leave", proposal, why };
  if (!isOwn(known))
    return {
      kind: "foreign",
      proposal: known,
      why: foreignWhy(known, view, `${DO_NOT_MERGE}; ${why}`),
    };
  if (belongsToOthers(known, verdict)) return { kind: "leave", proposal: known, why: HOTFIX };
  return { kind: "close", proposal: known, why: `Closed: ${module} moves together with ${first}.` };
}

/**
 * Leaves a group alone while a separate hot-fix of one of its modules is proposed: the promotion would undo the repair.
 * `undefined` without such a hot-fix.
 */
export function besideHotfix(group: readonly Verdict[], view: ForgeView): Act | undefined {
  const proposals = group.flatMap((verdict) => {
    const known = standingProposal(promotionBranch(verdict), view);
    return known !== undefined && belongsToOthers(known, verdict) ? [known] : [];
  });
  return proposals[0] && { kind: "leave", proposal: proposals[0], why: HOTFIX };
}

/** A refused hot-fix request does not close the hot-fix that is already open. */
function isRefusedHotfix({ chosen }: Verdict, known: Proposal): boolean {
  const step = proposedStep(known);
  return chosen?.isHotfix === true && (step?.lane !== "hotfix" || step.version !== chosen.version);
}

function onStanding(verdict: Verdict, draft: ProposalDraft | undefined, merges: boolean, known: Proposal): Act {
  if (belongsToOthers(known, verdict)) return { kind: "leave", proposal: known, why: HOTFIX };
  if (draft === undefined) return retreat(verdict, known);
  return { kind: "propose", draft, known, merge: merges };
}

function onForeign(verdict: Verdict, draft: ProposalDraft | undefined, known: Proposal, view: ForgeView): Act {
  if (!isStanding(known, view))
    return draft === undefined
      ? { kind: "tidy", proposal: known }
      : { kind: "leave-unmerged", proposal: known, why: foreignWhy(known, view, "it has no open pull request") };
  // Close the pull request of a held version even if someone else pushed to its branch. Keep the branch.
  if (isHeld(verdict, known)) return retreat(verdict, known);
  const advice = draft === undefined ? `nothing may be promoted now: ${DO_NOT_MERGE}` : DO_NOT_MERGE;
  return { kind: "foreign", proposal: known, why: foreignWhy(known, view, advice) };
}

/**
 * Whether the proposal is a hot-fix for the people who asked for it to finish: until the channel serves it, or a higher
 * version.
 */
function belongsToOthers(known: Proposal, { chosen, current }: Verdict): boolean {
  const step = proposedStep(known);
  if (step?.lane !== "hotfix" || chosen?.isHotfix === true) return false;
  const version = parseVersion(step.version);
  return version === undefined || current === undefined || compareVersions(version, current) > 0;
}

/** Whether the version that the files of a branch bring is held. */
function isHeld({ candidates }: Verdict, known: Proposal): boolean {
  const version = proposedStep(known)?.version;
  const reasons = candidates.find((one) => one.version === version)?.reasons ?? [];
  return reasons.some(({ topic, outcome }) => (topic === "hold" || topic === "withdrawal") && outcome === "blocking");
}

const HOTFIX =
  "a hot-fix is proposed: merge it, or repeat its promote --hotfix, which merges it once its checks are green";

function retreat(verdict: Verdict, known: Proposal): Act {
  const { chosen } = verdict;
  const closing = closingSentence(verdict, known);
  // The pull request stays open, unmerged, if only the time is wrong, so that it is not closed every evening.
  if (chosen !== undefined && waitsForOpening(chosen) && proposedStep(known)?.version === chosen.version)
    return { kind: "pause", proposal: known, why: "it waits for an opening of the calendar", closing };
  return { kind: "close", proposal: known, why: closing };
}

/** Why the proposed version is closed, which may differ from the version that comes next. */
function closingSentence({ candidates, channel, module, current }: Verdict, known: Proposal): string {
  const version = proposedStep(known)?.version ?? "";
  const reasons = candidates.find((one) => one.version === version)?.reasons ?? [];
  const reason = reasons.find(isUnmet);
  if (reason !== undefined) return `Closed because ${version} may no longer be promoted: ${reason.message}`;
  if (version === current) return `Closed: ${channel} already serves ${module} ${version}.`;
  return `Closed: ${module} ${version} is no longer a candidate; ${channel} serves ${current ?? "nothing"}.`;
}

/** Carries out `act`. It is idempotent: repeat a killed call for the same result. Throws what the forge throws. */
export async function carryOut(act: Act, context: ChangeContext, run: Run): Promise<ActOutcome> {
  const { forge } = context;
  switch (act.kind) {
    case "leave":
      return { kind: "left", proposal: act.proposal, why: act.why };
    case "pause":
      return pause(act, forge, run);
    case "foreign":
      await forge.warn?.(act.proposal, plain(act.why), run);
      return { kind: "left", proposal: act.proposal, why: act.why };
    case "leave-unmerged":
      await forge.close(act.proposal, "", run);
      return { kind: "left", proposal: act.proposal, why: act.why };
    case "tidy":
      if (act.proposal !== undefined) await forge.close(act.proposal, "", run);
      return { kind: "left", proposal: undefined, why: undefined };
    case "close":
      return close(act, forge, run);
    case "propose":
      return proposeAndMerge(act, context, run);
  }
}

async function pause(
  { proposal, why, closing }: Extract<Act, { kind: "pause" }>,
  forge: Forge,
  run: Run,
): Promise<ActOutcome> {
  const isQueued = (await forge.isQueued?.(proposal, run)) === true;
  return isQueued ? close({ proposal, why: closing }, forge, run) : { kind: "left", proposal, why };
}

/** Throws FORGE_CONFLICT when the base branch is no longer at the commit of the decision, which is then outdated. */
export function refuseStale({ base }: ForgeView, revision: string): void {
  if (base === revision) return;
  const [there, here] = [shortCommit(base), shortCommit(revision)];
  const remedy =
    "Update the clone to exactly that commit (git switch to the base branch, git pull --rebase), and run the command again.";
  const message = `The base branch is at ${there}, but this was decided on ${here}. ${remedy}`;
  throw new Fault("FORGE_CONFLICT", message, { retry: true });
}

/** Runs `work`. A Fault is an outcome, unless it would stop everything else as well. */
export async function orFailure<T>(work: () => Promise<T>): Promise<T | Extract<ActOutcome, { kind: "failed" }>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault) || STOPS.has(error.code)) throw error;
    return { kind: "failed", fault: error };
  }
}

const STOPS: ReadonlySet<string> = new Set(["FORGE_UNREACHABLE", "FORGE_TIMEOUT", "FORGE_BUSY", "FORGE_UNAUTHORIZED"]);

async function close(
  { proposal, why }: Omit<Extract<Act, { kind: "close" }>, "kind">,
  forge: Forge,
  run: Run,
): Promise<ActOutcome> {
  const closing = await forge.close(proposal, plain(why), run);
  if (closing.kind === "closed") return { kind: "closed", proposal, why };
  const late = `it was merged as ${shortCommit(closing.commit)} before it could be closed: withdraw what must not run`;
  return { kind: "left", proposal, why: late };
}

const DECLINED = "a person closed it: reopen it to continue, or hold the version to keep it out";

async function proposeAndMerge(
  { draft, known, merge }: Extract<Act, { kind: "propose" }>,
  { forge, ...context }: ChangeContext,
  run: Run,
): Promise<ActOutcome> {
  const changed = await change(draft, known, { forge, ...context }, run);
  if (changed.kind === "refused")
    return { ...changed, proposal: known !== undefined && isStanding(known, context.view) ? known : undefined };
  const { kind, proposal } = changed;
  if (proposal.pull?.isOpen === false) return { kind: "left", proposal, why: DECLINED };
  if (!merge) return { kind, proposal, waitsFor: "a review" };
  // Give reviewers a chance to see it first, even if an earlier check of the same commit is green.
  if (kind === "opened" && proposal.pull !== undefined) return { kind, proposal, waitsFor: "its checks" };
  const merged = await forge.merge(proposal, draft, run);
  if (merged.kind === "merged") return { kind: "merged", proposal, commit: merged.commit, files: draft.files };
  return { kind, proposal, waitsFor: merged.why };
}
