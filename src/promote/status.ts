import type { Channel } from "../catalogue/catalogue.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import type { Hotfix } from "../catalogue/policy.ts";
import { compareVersions, type ModuleVersion } from "../catalogue/version.ts";
import type { ForgeView, Proposal } from "../ports.ts";
import { standingProposal } from "./change.ts";
import { promotionBranch } from "./draft.ts";
import type { Gathered } from "./gather.ts";
import { proposedStep } from "./proposed.ts";
import { proposedInterventions, type ProposedIntervention } from "./proposedHolds.ts";
import { decideAll } from "./decisions.ts";
import { countedHotfixes } from "./verdict/candidates.ts";
import { decide } from "./verdict/decide.ts";
import type { DeclaredEntry, ModuleHistory, Revision } from "../catalogue/history/history.ts";
import { inForce, periodsNow, strayEntries, type HeldPeriod } from "./verdict/holding.ts";
import { NO_STRAYS, subjectStates, subjectIn } from "./verdict/subject.ts";
import type { Verdict } from "./verdict/verdict.ts";

/** The status of one module in one channel according to the repository. It does not say what clusters run. */
export interface Status {
  readonly channel: ChannelName;
  readonly module: ModuleName;
  /** `undefined`: teams submit to the channel, or it is mandatory. */
  readonly follows: ChannelName | undefined;
  /** The version that the channel serves; `undefined`: none. */
  readonly version: ModuleVersion | undefined;
  /** The merge since which the channel serves it. */
  readonly since: Revision | undefined;
  /** `undefined` for a channel that follows none. */
  readonly verdict: Verdict | undefined;
  /**
   * Holds on the served version and on higher ones; lower versions cannot come in any case. A decrease is listed only
   * if no entry holds the version as well.
   */
  readonly holds: readonly HeldPeriod[];
  /** The open promotion; also `undefined` if no forge was asked. */
  readonly proposal: OpenPromotion | undefined;
  /** Requests by people about its versions, in this channel or in all, that are not merged yet. */
  readonly interventions: readonly ProposedIntervention[];
  readonly debts: readonly Debt[];
  /** The version that the followed channel serves, if it is lower. */
  readonly aheadOf: ModuleVersion | undefined;
  /** The declaration of the served version, if it came as a hot-fix. */
  readonly hotfix: Hotfix | undefined;
  /** Whether files of the module contradict one another, so that nothing of it is compiled. */
  readonly isWithheld: boolean;
}

/** An open promotion. Its version may differ from the one that comes next. */
export interface OpenPromotion extends Proposal {
  /** The step that it proposes; `undefined` if unknown, since a person changed its branch. */
  readonly step: { readonly lane: string; readonly version: string } | undefined;
}

/** The unpaid debt of a hot-fix. */
export interface Debt {
  readonly hotfix: Hotfix;
  /** The merge of its declaration. */
  readonly since: Revision;
  /** The unpaid kinds. Not empty. */
  readonly kinds: readonly ("backfill" | "smoke" | "review")[];
}

/** The status of every module in every channel. Ordered by channel, then by module. */
export function promotionStatus(gathered: Gathered): readonly Status[] {
  const { catalogue, histories } = gathered;
  const decisions = decideAll(gathered);
  return [...catalogue.channels.values()].flatMap((channel) => {
    const own = decisions.flatMap(({ verdict }) => (verdict.channel === channel.name ? [verdict] : []));
    const verdicts = new Map(own.map((verdict) => [verdict.module, verdict]));
    const followed = channel.follows && catalogue.channels.get(channel.follows);
    const owing = histories.modules.filter(
      (module) => channelHotfixes(module, channel, gathered).flatMap(hotfixDebt).length > 0,
    );
    // The modules that the channel serves, may get, owes debt for, or served last if its file cannot be read.
    const lost = [...catalogue.withheld].filter(
      (module) => histories.of(module).served.get(channel.name)?.at(-1)?.version !== undefined,
    );
    const modules = new Set([...channel.templates.keys(), ...(followed?.templates.keys() ?? []), ...owing, ...lost]);
    return [...modules].sort().map((module) => statusIn(channel, module, verdicts, gathered));
  });
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
  const hotfixes = channelHotfixes(module, channel, gathered);
  const periods = periodsNow(catalogue, channel, history);
  return {
    channel: channel.name,
    module,
    follows: channel.follows,
    version,
    since: version && servedSince(version, channel.name, history),
    // A module that only has debt is not a subject of a promotion.
    verdict: verdicts.get(module) ?? (subject && decide(subject, factsOf(subject))),
    holds: holdsThatMatter(periods, version, nowMs),
    proposal: view && openProposal(promotionBranch({ channel: channel.name, module }), view),
    interventions: proposedInterventions(view).filter(
      (one) => one.module === module && (one.channel ?? channel.name) === channel.name,
    ),
    debts: hotfixes.flatMap(hotfixDebt),
    aheadOf: version && lowerThan(version, subject?.followed.templates.get(module)?.version),
    hotfix: hotfixes.find(({ entry }) => entry.version === version)?.entry,
    isWithheld: catalogue.withheld.has(module),
  };
}

/** The version that the followed channel serves, if it is below `version`. */
function lowerThan(version: ModuleVersion, followed: ModuleVersion | undefined): ModuleVersion | undefined {
  return followed !== undefined && compareVersions(followed, version) < 0 ? followed : undefined;
}

/** The merge since which the channel serves `version`; new content of the same version does not count. */
function servedSince(version: ModuleVersion, channel: ChannelName, history: ModuleHistory): Revision | undefined {
  const states = subjectStates(history, channel);
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
  const found = standingProposal(branch, view);
  return found && { ...found, step: proposedStep(found) };
}

/** The declared hot-fixes of a module in a channel. Only a channel that follows another one gets hot-fixes. */
function channelHotfixes(
  module: ModuleName,
  { name, follows }: Channel,
  { catalogue, histories }: Pick<Gathered, "catalogue" | "histories">,
): readonly DeclaredEntry<Hotfix>[] {
  const history = histories.of(module);
  const strays = follows === undefined ? NO_STRAYS : strayEntries(catalogue, history);
  return countedHotfixes(name, { history, strays });
}

/** What a hot-fix still owes; nothing if it is paid. */
function hotfixDebt({ entry, from }: DeclaredEntry<Hotfix>): readonly Debt[] {
  const kinds = (entry.debt ?? []).filter(({ paidBy }) => paidBy === undefined).map(({ kind }) => kind);
  return kinds.length === 0 ? [] : [{ hotfix: entry, since: from, kinds }];
}
