import type { Channel } from "../catalogue/catalogue.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import type { Hotfix } from "../catalogue/policy.ts";
import { compareVersions, type ModuleVersion } from "../catalogue/version.ts";
import type { ForgeView, Proposal } from "../ports.ts";
import { isStanding } from "./change.ts";
import { branchOf, proposedStep } from "./draft.ts";
import type { Gathered } from "./gather.ts";
import { proposedInterventions, type ProposedIntervention } from "./proposedHolds.ts";
import { decideAll } from "./decisions.ts";
import { decide } from "./verdict/decide.ts";
import type { DeclaredEntry, ModuleHistory, Revision } from "../catalogue/history/history.ts";
import { heldPeriods, inForce, type HeldPeriod } from "./verdict/holding.ts";
import { placeIn, statesOf, subjectIn } from "./verdict/subject.ts";
import type { Verdict } from "./verdict/verdict.ts";

/** How one module stands in one channel, as the repository says; what clusters run is another question. */
export interface Status {
  readonly channel: ChannelName;
  readonly module: ModuleName;
  /** `undefined`: teams submit to the channel, or it is mandatory. */
  readonly follows: ChannelName | undefined;
  /** What the channel serves; `undefined`: nothing. */
  readonly version: ModuleVersion | undefined;
  /** The merge since which it does. */
  readonly since: Revision | undefined;
  /** `undefined` where a channel follows none. */
  readonly verdict: Verdict | undefined;
  /**
   * What holds a version that is not below the one that is served: lower ones cannot come in any case. A decrease is
   * there only where no entry holds the version as well.
   */
  readonly holds: readonly HeldPeriod[];
  /** An open promotion; also `undefined` where no forge was asked. */
  readonly proposal: OpenPromotion | undefined;
  /** What persons asked for of its versions here, or everywhere, and what waits to be merged. */
  readonly interventions: readonly ProposedIntervention[];
  readonly debts: readonly Debt[];
  /** What the followed channel serves, where that is lower. */
  readonly aheadOf: ModuleVersion | undefined;
  /** The declaration of what the channel serves, where it came by the hot-fix lane. */
  readonly hotfix: Hotfix | undefined;
  /** Whether files of the module contradict one another, so that nothing of it is compiled. */
  readonly isWithheld: boolean;
}

/** An open promotion, which need not be of the version that comes next. */
export interface OpenPromotion extends Proposal {
  /** What it is to bring; `undefined` where that is unknown, since a person changed its branch. */
  readonly step: { readonly lane: string; readonly version: string } | undefined;
}

/** What is still owed for a hot-fix. */
export interface Debt {
  readonly hotfix: Hotfix;
  /** The merge of its declaration. */
  readonly since: Revision;
  /** Of those that nobody paid. Not empty. */
  readonly kinds: readonly ("backfill" | "smoke" | "review")[];
}

/** How every module stands in every channel. In the order of channels, then of modules. */
export function statusOf(gathered: Gathered): readonly Status[] {
  const decisions = decideAll(gathered);
  return [...gathered.catalogue.channels.values()].flatMap((channel) => {
    const own = decisions.flatMap(({ verdict }) => (verdict.channel === channel.name ? [verdict] : []));
    const verdicts = new Map(own.map((verdict) => [verdict.module, verdict]));
    return modulesIn(channel, gathered).map((module) => statusIn(channel, module, verdicts, gathered));
  });
}

/** What the channel serves, may get, or owes something for. */
function modulesIn(channel: Channel, { catalogue, histories }: Gathered): readonly ModuleName[] {
  const followed = channel.follows && catalogue.channels.get(channel.follows);
  const owing = histories.modules.filter((module) => debtsOf(channel.name, histories.of(module)).length > 0);
  return [...new Set([...channel.templates.keys(), ...(followed?.templates.keys() ?? []), ...owing])].sort();
}

function statusIn(
  channel: Channel,
  module: ModuleName,
  verdicts: ReadonlyMap<ModuleName, Verdict>,
  gathered: Gathered,
): Status {
  const { catalogue, histories, factsOf, nowMs, view } = gathered;
  const history = histories.of(module);
  const subject = subjectIn(catalogue, module, channel.name);
  const version = channel.templates.get(module)?.version;
  const periods = heldPeriods(placeIn(catalogue, channel), history);
  return {
    channel: channel.name,
    module,
    follows: channel.follows,
    version,
    since: version && sinceOf(version, channel.name, history),
    // What is only owed for is not a subject of a promotion.
    verdict: verdicts.get(module) ?? (subject && decide(subject, factsOf(subject))),
    holds: holdsThatMatter(periods, version, nowMs),
    proposal: view && openProposal(branchOf({ channel: channel.name, module }), view),
    interventions: proposedInterventions(view).filter(
      (one) => one.module === module && (one.channel ?? channel.name) === channel.name,
    ),
    debts: debtsOf(channel.name, history),
    aheadOf: version && lowerThan(version, subject?.followed.templates.get(module)?.version),
    hotfix: history.hotfixes.find((one) => stands(one, channel.name) && one.entry.version === version)?.entry,
    isWithheld: catalogue.withheld.has(module),
  };
}

/** What the followed channel serves, where it is below `version`. */
function lowerThan(version: ModuleVersion, followed: ModuleVersion | undefined): ModuleVersion | undefined {
  return followed !== undefined && compareVersions(followed, version) < 0 ? followed : undefined;
}

/** A new content of the same version does not begin anew. */
function sinceOf(version: ModuleVersion, channel: ChannelName, history: ModuleHistory): Revision | undefined {
  const states = statesOf(history, channel);
  const before = states.findLastIndex((state) => state.version !== version);
  return states[before + 1]?.revision;
}

function holdsThatMatter(
  periods: readonly HeldPeriod[],
  current: ModuleVersion | undefined,
  nowMs: number,
): readonly HeldPeriod[] {
  const matter = inForce(periods, nowMs).filter(
    ({ version }) => current === undefined || compareVersions(version, current) >= 0,
  );
  const entries = new Set(matter.filter(({ why }) => why.kind === "hold").map(({ version }) => version));
  return matter.filter(({ version, why }) => why.kind === "hold" || !entries.has(version));
}

function openProposal(branch: string, view: ForgeView): OpenPromotion | undefined {
  const found = view.proposals.find((proposal) => proposal.branch === branch && isStanding(proposal, view));
  return found && { ...found, step: proposedStep(found) };
}

function debtsOf(channel: ChannelName, { hotfixes }: ModuleHistory): readonly Debt[] {
  return hotfixes
    .filter((hotfix) => stands(hotfix, channel))
    .map(({ entry, from }): Debt => {
      const unpaid = (entry.debt ?? []).filter(({ paidBy }) => paidBy === undefined);
      return { hotfix: entry, since: from, kinds: unpaid.map(({ kind }) => kind) };
    })
    .filter(({ kinds }) => kinds.length > 0);
}

/** An entry that was removed means nothing any more. */
function stands({ entry, to }: DeclaredEntry<Hotfix>, channel: ChannelName): boolean {
  return to === undefined && entry.channel === channel;
}
