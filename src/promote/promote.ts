import { parseVersion } from "../catalogue/version.ts";
import { Fault, type ProposalDraft, type Run } from "../ports.ts";
import { isStanding, standingProposal, type ChangeContext } from "./change.ts";
import { actOn, besideHotfix, carryOut, moveWith, orFailure, refuseStale, type Act, type ActOutcome } from "./apply.ts";
import { decideAgain, type Decision } from "./decisions.ts";
import { promotionBranch, promotionDraft } from "./draft.ts";
import type { KnownProposals } from "./foreign.ts";
import type { Gathered } from "./gather.ts";
import { digestsFor, type ReadEvidence } from "./keptEvidence.ts";
import { bumpOrigin } from "./origin.ts";
import type { Promotion } from "./promotion.ts";
import { decide } from "./verdict/decide.ts";
import { heldPeriods } from "./verdict/holding.ts";
import { isOwnPromotion, proposedStep } from "./proposed.ts";
import { leadingModule } from "./verdict/contender.ts";
import { judgePeople } from "./verdict/people.ts";
import { policyFor } from "./verdict/policy.ts";
import { waitsForPlace } from "./verdict/verdict.ts";

/** The outcome of a decision. */
export interface Carried {
  readonly decision: Decision;
  readonly outcome: ActOutcome;
}

/** Dependencies for carrying out decisions, beyond the gathered facts. */
interface CarryOutContext extends ChangeContext {
  /** The evidence behind the verdicts. */
  readonly observed: ReadEvidence;
  /** Whether proposals go into the base directly. */
  readonly isDirect: boolean;
  /** The clock. Unix milliseconds. */
  readonly nowMs: () => number;
}

/** The outcomes of the decisions that were carried out. */
export interface Promoted {
  /** All of them. Those that waited for a place in a window which another one could not use are decided again. */
  readonly decisions: readonly Decision[];
  /** In the order of the decisions. */
  readonly carried: readonly Carried[];
  /** The branches of promotions that could not move. */
  readonly stuck: ReadonlySet<string>;
  /** The fault that stopped the rest, since it would have stopped each of them. */
  readonly stoppedBy: Fault | undefined;
}

/**
 * Carries out decisions one by one: first those that wait for no place in a window, since each of them that cannot move
 * frees its place. Throws FORGE_CONFLICT when the base branch is no longer at the commit of the decisions.
 */
export async function promote(
  decisions: readonly Decision[],
  gathered: Gathered,
  context: CarryOutContext,
  run: Run,
): Promise<Promoted> {
  refuseStale(context.view, gathered.revision);
  let current = decisions;
  const outcomes = new Map<string, ActOutcome>();
  const stuck = new Set<string>();
  const merged = new Map<string, string>();
  // The gate judges a change of the commit that was decided on, so it gets what this run merged since, too.
  const gate: ChangeContext["gate"] = (files, ...rest) => context.gate(new Map([...merged, ...files]), ...rest);
  const isLeft = ({ verdict }: Decision): boolean => !outcomes.has(promotionBranch(verdict));
  const promoted = (stoppedBy: Fault | undefined): Promoted => {
    const carried = current.flatMap((decision) => {
      const outcome = outcomes.get(promotionBranch(decision.verdict));
      return outcome === undefined ? [] : [{ decision, outcome }];
    });
    return { decisions: current, carried, stuck, stoppedBy };
  };
  for (;;) {
    run.signal.throwIfAborted();
    const left = current.filter(isLeft);
    const decision = left.find(({ verdict }) => !waitsForPlace(verdict)) ?? left[0];
    if (decision === undefined) return promoted(undefined);
    const branch = promotionBranch(decision.verdict);
    const move = { decision, members: groupMembers(decision, current) };
    try {
      const outcome = await orFailure(() => promoteOne(move, gathered, { ...context, gate }, run));
      outcomes.set(branch, outcome);
      if (outcome.kind === "merged") for (const [path, text] of outcome.files) merged.set(path, text);
      if (!(await keepsPlace(move, outcome, { left, forge: context.forge }, run)))
        current = decideAgain(current, { ...gathered, stuck: stuck.add(branch) });
    } catch (error) {
      if (!(error instanceof Fault) || run.signal.aborted) throw error;
      return promoted(
        withPutOff(
          error,
          left.filter((one) => one !== decision),
        ),
      );
    }
  }
}

/**
 * Whether a promotion keeps its place in a window: it moves now, or soon by itself. A new or changed proposal keeps it
 * until the next run, so that reviewers and checks get their time. A group has the places of its first module.
 */
async function keepsPlace(
  { decision, members }: Move,
  outcome: ActOutcome,
  { left, forge }: Pick<CarryOutContext, "forge"> & { readonly left: readonly Decision[] },
  run: Run,
): Promise<boolean> {
  if (!left.some(({ verdict }) => waitsForPlace(verdict))) return true;
  const { verdict, hotfix } = decision;
  if (verdict.kind !== "promote" || hotfix !== undefined || leadingModule(decision) !== verdict.module) return true;
  if (outcome.kind !== "unchanged") return ["merged", "opened", "updated"].includes(outcome.kind);
  const isReviewed = members.some(({ subject }) => policyFor(subject).merge === "review");
  return !isReviewed && (await forge.isMoving?.(outcome.proposal, run)) === true;
}

/** Adds to the fault that stopped a run the promotions that were not even tried. */
function withPutOff(fault: Fault, rest: readonly Decision[]): Fault {
  const branches = rest.flatMap(({ verdict }) => (verdict.kind === "promote" ? [promotionBranch(verdict)] : []));
  if (branches.length === 0) return fault;
  const { code, message, retry } = fault;
  return new Fault(code, `${message} Not tried: ${branches.join(", ")}.`, { cause: fault, retry });
}

/** A decision, and all decisions that are carried out with it, itself first; none if another one carries it out. */
interface Move {
  readonly decision: Decision;
  readonly members: readonly Decision[];
}

function groupMembers(decision: Decision, decisions: readonly Decision[]): readonly Decision[] {
  const { group, verdict } = decision;
  if (leadingModule(decision) !== verdict.module) return [];
  if (group === undefined) return [decision];
  const { channel } = verdict;
  return group.flatMap(
    (name) => decisions.find((one) => one.verdict.module === name && one.verdict.channel === channel) ?? [],
  );
}

async function promoteOne(move: Move, gathered: Gathered, context: CarryOutContext, run: Run): Promise<ActOutcome> {
  const { decision, members } = move;
  if (!members.every((one) => stillStands(one, gathered, context)))
    return { kind: "left", proposal: undefined, why: CHANGED };
  const [first, ...others] = members.flatMap((one) => decisionPromotion(one, gathered, context.observed) ?? []);
  const promotions = first && ([first, ...others] as const);
  // A person decided on a hot-fix by asking for it.
  const isReviewed = promotions?.some(({ policy, chosen }) => policy.merge === "review" && !chosen.isHotfix) ?? false;
  if (context.isDirect && isReviewed) return { kind: "left", proposal: undefined, why: NO_REVIEW };
  const act =
    heldHotfix(decision, gathered, context) ??
    actFor(move, promotions, !isReviewed, {
      view: context.view,
      isOwn: (proposal) => isOwnPromotion(proposal, gathered),
    });
  return carryOut(act, context, run);
}

function actFor(
  { decision, members }: Move,
  promotions: readonly [Promotion, ...Promotion[]] | undefined,
  merges: boolean,
  known: KnownProposals,
): Act {
  const { verdict } = decision;
  const lead = leadingModule(decision);
  if (lead !== verdict.module) return moveWith(lead, verdict, known);
  const others = members.slice(1).map((one) => one.verdict);
  return besideHotfix(others, known.view) ?? actOn(verdict, promotions && promotionDraft(...promotions), merges, known);
}

const CHANGED = "its verdict changed while others were carried out: run the command again";

/**
 * Whether the verdict still holds: a run may take minutes, and a window may close meanwhile. A hot-fix ignores the
 * time.
 */
function stillStands(
  { subject, verdict, hotfix }: Decision,
  { factsOf }: Gathered,
  { nowMs }: CarryOutContext,
): boolean {
  if (verdict.kind !== "promote" || hotfix !== undefined) return true;
  const { kind, chosen } = decide(subject, { ...factsOf(subject), nowMs: nowMs() });
  return kind === "promote" && chosen?.version === verdict.chosen?.version;
}

/** Closes a proposed hot-fix if a person holds its version; otherwise it is left to the people who asked for it. */
function heldHotfix({ subject, verdict }: Decision, { factsOf }: Gathered, { view }: CarryOutContext): Act | undefined {
  const known = standingProposal(promotionBranch(verdict), view);
  const step = known && proposedStep(known);
  const version = step?.lane === "hotfix" ? parseVersion(step.version) : undefined;
  if (known === undefined || version === undefined) return undefined;
  const facts = factsOf(subject);
  const reasons = judgePeople(subject, version, heldPeriods(subject, facts.history), facts);
  const held = reasons.find(({ topic, outcome }) => outcome === "blocking" && topic !== "hot-fix");
  return held && { kind: "close", proposal: known, why: `Closed because ${version} is held: ${held.message}` };
}

const NO_REVIEW = "its policy demands a review (merge: review): remove --direct";

function decisionPromotion(
  { verdict, subject, hotfix }: Decision,
  gathered: Gathered,
  observed: ReadEvidence,
): Promotion | undefined {
  const { chosen, module } = verdict;
  if (verdict.kind !== "promote" || chosen === undefined) return undefined;
  const files = hotfix?.files ?? new Map<string, string>();
  return {
    verdict,
    chosen,
    subject,
    policy: policyFor(subject),
    origin: hotfix?.origin ?? bumpOrigin(gathered, subject, chosen.version),
    declaration: hotfix?.declaration,
    files,
    mayReplace: (content) => isOwnPromotion({ branch: promotionBranch(verdict), content }, gathered),
    base: gathered.revision,
    decidedAtMs: gathered.nowMs,
    evidenceDigests: digestsFor(observed, { module, version: chosen.version }),
  };
}

/** Closes proposals for channels and modules that no verdict is about any more. */
export async function closeForgotten(
  decisions: readonly Decision[],
  gathered: Gathered,
  { forge, view }: Pick<CarryOutContext, "forge" | "view">,
  run: Run,
): Promise<readonly ProposalDraft["branch"][]> {
  const branches = new Set(decisions.map(({ verdict }) => promotionBranch(verdict)));
  const forgotten = view.proposals.filter(
    (proposal) =>
      proposal.branch.startsWith("promote/") &&
      !branches.has(proposal.branch) &&
      isStanding(proposal, view) &&
      isOwnPromotion(proposal, gathered),
  );
  for (const proposal of forgotten)
    await forge.close(proposal, "Closed: no channel that follows another has this module any more.", run);
  return forgotten.map(({ branch }) => branch);
}
