import { canonicalHash } from "../document/canonical.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { parseChannelName, type ChannelName } from "../catalogue/names.ts";
import { holdsPath } from "../catalogue/paths.ts";
import { filesOfProposal, proposalBranch } from "../catalogue/proposalBranch.ts";
import { isSameTexts } from "../document/texts.ts";
import {
  Fault,
  type CloseOutcome,
  type Forge,
  type ForgeView,
  type Proposal,
  type ProposalDraft,
  type Run,
} from "../ports.ts";
import { refuseStale } from "./apply.ts";
import { change, isStanding, standingProposal, type ChangeContext, type Changed, type Proposed } from "./change.ts";
import { oneLine } from "../document/printable.ts";
import { plain, uncalled } from "./body.ts";
import type { Gathered } from "./gather.ts";
import { knownTemplate } from "./origin.ts";
import { holdBranch, proposedHolds } from "./proposedHolds.ts";
import { instantsIn, isReplaceable, proposedStep } from "./proposed.ts";
import { decideHold } from "./intervention/hold.ts";
import { everServedVersions, type FileChange, type NoChange, type PersonRequest } from "./intervention/intervention.ts";
import { heldPeriods, periodsNow } from "./verdict/holding.ts";
import { holdApplies } from "./intervention/upstream.ts";
import { placeIn } from "./verdict/subject.ts";
import { decideUnhold, decreasedChannels } from "./intervention/unhold.ts";
import { decideWithdrawal } from "./intervention/withdraw.ts";
import type { Consequences } from "./intervention/consequences.ts";

/** A person's request about one version. */
export type InterventionRequest = PersonRequest &
  (
    | { readonly kind: "hold"; readonly until: string | undefined }
    | { readonly kind: "unhold" }
    | { readonly kind: "withdraw"; readonly channel: ChannelName }
  );

/** The decision on a request; for a withdrawal, with its consequences. */
export type Decided = (FileChange & Partial<Consequences>) | NoChange;

/** The facts that a request depends on. */
type RequestFacts = Pick<Gathered, "catalogue" | "histories" | "nowMs" | "view">;

/** Decides on a request from the gathered facts alone. A repeated request has the instant of the one on its branch. */
export function decideIntervention(request: InterventionRequest, gathered: RequestFacts): Decided {
  const { view } = gathered;
  const decided = decideNow(request, gathered);
  const there = view && standingProposal(interventionBranch(request), view)?.content.files;
  if (decided.kind !== "change" || there === undefined) return decided;
  const earlier = instantsIn(there.get(holdsPath(request.module)), "since").map((since) =>
    decideNow(request, { ...gathered, nowMs: Date.parse(since) }),
  );
  return earlier.find((one) => one.kind === "change" && isSameTexts(one.files, there)) ?? decided;
}

function decideNow(request: InterventionRequest, gathered: RequestFacts): Decided {
  const { catalogue, histories, nowMs } = gathered;
  const { module, version } = request;
  const history = histories.of(module);
  const known = { catalogue, ever: everServedVersions(catalogue, module, history), nowMs };
  switch (request.kind) {
    case "hold":
      return decideHold(request, known);
    case "unhold": {
      const periods = [...catalogue.channels.values()].flatMap((channel) =>
        heldPeriods(placeIn(catalogue, channel), history),
      );
      return decideUnhold(request, known, decreasedChannels(periods, version, nowMs), proposedHolds(gathered.view));
    }
    case "withdraw": {
      const channel = catalogue.channels.get(request.channel);
      const held = channel === undefined ? [] : periodsNow(catalogue, channel, history);
      return decideWithdrawal(request, {
        ...known,
        templateOf: (wanted) => knownTemplate(gathered, module, wanted),
        held,
      });
    }
  }
}

/** Throws CONFIGURATION for an invalid request. One that only cannot be carried out now is reported instead. */
export function refuseUsage(decided: Decided | undefined): void {
  if (decided?.kind !== "refused" || !decided.isUsage) return;
  throw new Fault("CONFIGURATION", `${decided.why} ${decided.remedy}`);
}

/** The outcome of a request. */
export type Intervened = Exclude<Changed, Proposed> | (Proposed & StoppedProposals);

/** The promotions that a request stopped. */
interface StoppedProposals {
  /** Promotions that were closed at once. */
  readonly closed: readonly Proposal[];
  /** Promotions that a person merged before they could be closed. */
  readonly merged: readonly Proposal[];
  /** The fault that kept a promotion open. The request is proposed nonetheless, and counts. */
  readonly stoppedBy: Fault | undefined;
}

/**
 * Proposes the change, and closes at once the promotions that it stops. Idempotent: a killed call can be repeated.
 * Throws FORGE_CONFLICT when the base branch is no longer at the commit of the decision.
 */
export async function intervene(
  request: InterventionRequest,
  wanted: FileChange,
  { revision, catalogue }: Pick<Gathered, "revision" | "catalogue">,
  context: ChangeContext,
  run: Run,
): Promise<Intervened> {
  const { forge, view } = context;
  refuseStale(view, revision);
  const draft = interventionDraft(request, wanted, revision);
  const known = standingProposal(draft.branch, view);
  const changed = await change(draft, known, context, run);
  if (changed.kind === "refused") return changed;
  return { ...changed, ...(await closeAll(request, view, { forge, catalogue }, run)) };
}

/** Closes the promotions that the request stops, one by one. A fault does not prevent the others. */
async function closeAll(
  request: InterventionRequest,
  view: ForgeView,
  { forge, catalogue }: { readonly forge: Forge; readonly catalogue: Catalogue },
  run: Run,
): Promise<StoppedProposals> {
  const [closed, merged, faults]: [Proposal[], Proposal[], Fault[]] = [[], [], []];
  for (const one of stoppedBy(request, view, catalogue)) {
    try {
      ((await close(forge, one, request, run)).kind === "closed" ? closed : merged).push(one);
    } catch (error) {
      if (!(error instanceof Fault) || run.signal.aborted) throw error;
      faults.push(error);
    }
  }
  return { closed, merged, stoppedBy: faults[0] };
}

function stoppedBy(request: InterventionRequest, view: ForgeView, catalogue: Catalogue): readonly Proposal[] {
  const { kind, module, version, channel } = request;
  if (kind === "unhold") return [];
  // Those that bring the version into a channel where it is held.
  return view.proposals.filter((one) => {
    const [prefix, place = "", name] = one.branch.split("/");
    const into = parseChannelName(place);
    if (!isStanding(one, view) || prefix !== "promote" || into === undefined) return false;
    const step = proposedStep(one);
    const isIn = name === module ? step?.version === version : step?.others.includes(`${module}@${version}`) === true;
    return isIn && holdApplies(channel, into, catalogue);
  });
}

function close(
  forge: Forge,
  proposal: Proposal,
  { by, module, version, reason }: InterventionRequest,
  run: Run,
): Promise<CloseOutcome> {
  return forge.close(proposal, plain(`Closed because ${by} holds ${module} ${version}: ${reason}`), run);
}

/** The branch of a request. */
export function interventionBranch({ kind, module, version, channel }: InterventionRequest): string {
  const branch = holdBranch(module, version, channel);
  return kind === "hold" ? branch : branch.replace(/^hold/, kind);
}

function interventionDraft(request: InterventionRequest, change: FileChange, base: string): ProposalDraft {
  const { subject, files, sentences } = change;
  // The entry contains its time. Leave it out of the digest, so that a repeated request stays the same.
  const others = [...files].filter(([path]) => path !== holdsPath(request.module));
  const branch = interventionBranch(request);
  const place = proposalBranch(branch);
  const own = new Set([...files.keys(), ...(place === undefined ? [] : filesOfProposal(place))]);
  return {
    branch,
    base,
    files,
    mayReplace: (content) => isReplaceable(content, own),
    title: subject,
    message: uncalled([subject, "", ...sentences.map(oneLine), "", ...interventionTrailers(request), ""].join("\n")),
    body: [
      `**Why**: ${plain(`${request.reason} (${request.by})`)}`,
      sentences.map((one) => `- ${plain(one)}`).join("\n"),
    ].join("\n\n"),
    digest: `${request.kind}:${request.version}:${canonicalHash({ request, others, subject })}`,
    reviewers: [],
    isUrgent: true,
    isAsked: true,
  };
}

/** Who, what and why: a record that outlives the entry. */
function interventionTrailers({ kind, module, version, channel, by, reason }: InterventionRequest): readonly string[] {
  const word = { hold: "Holds", unhold: "Unholds", withdraw: "Withdraws" }[kind];
  return [
    `${word}: ${module}@${version}`,
    ...(channel === undefined ? [] : [`Channel: ${channel}`]),
    `By: ${by}`,
    `Reason: ${oneLine(reason)}`,
  ];
}
