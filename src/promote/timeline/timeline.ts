import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import { isLift } from "../../catalogue/holdStrength.ts";
import type { ChannelName, ModuleName } from "../../catalogue/names.ts";
import type { Hold, Hotfix, Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { levelFrom } from "../verdict/candidates.ts";
import { running, Services } from "../verdict/clocks.ts";
import type { DeclaredEntry, ModuleHistory, RecordedCommit, Revision } from "../../catalogue/history/history.ts";
import { historyAt } from "../../catalogue/history/moduleHistory.ts";
import { type HeldPeriod, heldPeriods } from "../verdict/holding.ts";
import { lengthBefore, type AsOf } from "../verdict/interval.ts";
import { type BareStep, type StepKind, stepKind, stepsIn } from "./step.ts";
import { stepClocks } from "../verdict/soak.ts";
import { subjectStates, type Subject, subjectIn } from "../verdict/subject.ts";
import { type Claim, claimsIn, type Statement, statementIn } from "./trailers.ts";

/** The input of a module's timeline. */
export interface TimelineQuestion {
  readonly module: ModuleName;
  readonly history: ModuleHistory;
  /** `RecordedHistory.commits`. */
  readonly commits: readonly RecordedCommit[];
  /** The commits of the branches that each merge brought, oldest first, by the merge. */
  readonly branches: ReadonlyMap<string, readonly Pick<RecordedCommit, "subject" | "body">[]>;
  /** The pull request that brought a commit, if the forge knows it. */
  readonly pulls: ReadonlyMap<string, { readonly number: number }>;
  /** The catalogue at the head: which channel follows which, and how far apart the waves are. */
  readonly catalogue: Catalogue;
  readonly evidence: readonly Evidence[];
}

/** Something that happened to a module. */
export type TimelineEvent = ServedStep | HoldEvent;

/** How an event came about. */
interface Occasion {
  readonly revision: Revision;
  /** Of the commit. */
  readonly author: string;
  readonly subject: string;
  /** The number of the pull request, from the forge or the subject. */
  readonly pull: number | undefined;
  /** The login of the person who asked for it; `undefined` if none is named. */
  readonly by: string | undefined;
  /** The reason; for a hot-fix its incident. */
  readonly reason: string | undefined;
}

/** A channel changes what it serves. */
export interface ServedStep extends Occasion {
  readonly kind: "step";
  readonly channel: ChannelName;
  /** `undefined`: nothing. */
  readonly from: ModuleVersion | undefined;
  readonly to: ModuleVersion | undefined;
  readonly how: StepKind;
  /** `undefined` if it does not go up. */
  readonly level: Level | undefined;
  /** The declaration, if it is a hot-fix. */
  readonly hotfix: Hotfix | undefined;
  /** The clocks of the followed channel; empty if no clock applies, or another channel was followed then. */
  readonly soak: readonly SoakServed[];
  /** `undefined`: the commit does not claim to promote the module into this channel. */
  readonly claim: Claim | undefined;
}

/** A version is held, or no longer held: a hold is removed, or an entry lifts a decrease by hand. */
interface HoldEvent extends Occasion {
  readonly kind: "hold" | "unhold";
  readonly version: ModuleVersion;
  /** `undefined`: all channels. */
  readonly channel: ChannelName | undefined;
  /** When it ends by itself, ISO 8601. */
  readonly until: string | undefined;
}

/** Everything that happened to a module, in every channel, newest first. */
export function moduleTimeline(question: TimelineQuestion): readonly TimelineEvent[] {
  const { module, history, catalogue, evidence } = question;
  const steps = [...history.served.keys()].flatMap((channel) => {
    const subject = subjectIn(catalogue, module, channel);
    const clocks = subject && {
      subject,
      services: new Services(subject, history, evidence),
      held: heldPeriods(subject, history),
    };
    return stepsIn(history, channel).map((bare) => tellStep(bare, clocks, question));
  });
  const holds = history.holds.flatMap((hold) => tellHold(hold, question));
  return [...steps, ...holds].sort((a, b) => b.revision.index - a.revision.index);
}

/** `clocks` is `undefined` in a channel that follows none. */
function tellStep(bare: BareStep, clocks: Clocks | undefined, question: TimelineQuestion): ServedStep {
  const { channel, from, to, standing, revision } = bare;
  const then = historyAt(question.history, revision.index);
  const message = revisionMessage(revision, question);
  const claim = claimsIn(message).findLast((one) => one.module === question.module && one.channel === channel);
  const declared = declaredIn(then, channel, to);
  const how = stepKind(bare, then, { follows: clocks !== undefined, hotfix: declared, claim });
  const hotfix = how === "hot-fix" ? declared : undefined;
  const level = to && GOES_UP.has(how) ? levelFrom(standing, to) : undefined;
  const asked = hotfix
    ? { by: hotfix.by, reason: hotfix.incident }
    : statementIn(message, "Withdraws", { module: question.module, version: from });
  const occasion = revisionOccasion(revision, asked, question);
  const asOf = { history: then, nowMs: revision.atMs };
  const soak =
    clocks && to && level && isFollowed(clocks, claim, then) ? soakServed(clocks, { version: to, level }, asOf) : [];
  return { kind: "step", channel, from, to, how, level, hotfix, soak, claim, ...occasion };
}

/**
 * Whether the channel that is followed now was followed then, as far as known: a channel may be renamed, or follow
 * another one. Its clocks would show 0 for a version that soaked elsewhere.
 */
function isFollowed({ subject }: Clocks, claim: Claim | undefined, then: ModuleHistory): boolean {
  const { name } = subject.followed;
  return (claim?.follows ?? name) === name && subjectStates(then, name).length > 0;
}

const GOES_UP: ReadonlySet<StepKind> = new Set<StepKind>(["import", "submission", "promotion", "hot-fix", "manual"]);

function declaredIn(
  { hotfixes }: ModuleHistory,
  channel: ChannelName,
  version: ModuleVersion | undefined,
): Hotfix | undefined {
  return hotfixes.find(({ entry, to }) => to === undefined && entry.version === version && entry.channel === channel)
    ?.entry;
}

function tellHold({ entry, from, to }: DeclaredEntry<Hold>, question: TimelineQuestion): readonly HoldEvent[] {
  const { version, channel, until, by, reason } = entry;
  // Such an entry never holds anything, so its removal is not an event.
  if (isLift(entry))
    return [
      { kind: "unhold", version, channel, until: undefined, ...revisionOccasion(from, { by, reason }, question) },
    ];
  const about = { version, channel, until };
  const held: HoldEvent = { kind: "hold", ...about, ...revisionOccasion(from, { by, reason }, question) };
  if (to === undefined) return [held];
  const lifted = statementIn(revisionMessage(to, question), "Unholds", { module: question.module, version });
  return [held, { kind: "unhold", ...about, ...revisionOccasion(to, lifted, question) }];
}

function revisionOccasion(
  revision: Revision,
  { by, reason }: Statement,
  { commits, pulls }: TimelineQuestion,
): Occasion {
  const commit = commits[revision.index];
  const subject = String(commit?.subject);
  const pull = pulls.get(revision.commit)?.number ?? pullIn(subject);
  return { revision, author: String(commit?.author), subject, pull, by, reason };
}

/** As GitHub writes it when it squashes, and when it merges. */
function pullIn(subject: string): number | undefined {
  const [, squashed, merged] = /\(#(\d+)\)$|^Merge pull request #(\d+) /.exec(subject) ?? [];
  const number = squashed ?? merged;
  return number === undefined ? undefined : Number(number);
}

/** The messages of a merge: its own comes last, so that it takes precedence over those of its branches. */
function revisionMessage({ index, commit }: Revision, { commits, branches }: TimelineQuestion): string {
  const all = [...(branches.get(commit) ?? []), ...commits.slice(index, index + 1)];
  return all.flatMap(({ subject, body }) => [subject, body]).join("\n\n");
}

/** How long a clock had run. */
interface SoakServed {
  readonly level: Level;
  /** The served version or line, for people: a version, or `the line 1.2`. */
  readonly what: string;
  readonly ms: number;
}

/** The sources for the clocks of a step, from a whole history. */
interface Clocks {
  readonly subject: Subject;
  readonly services: Services;
  readonly held: readonly HeldPeriod[];
}

/**
 * The clocks of a step at its time, whether the policy demands them or not: one for each level up to the step's, which
 * is the last.
 */
function soakServed(
  { subject, services, held }: Clocks,
  { version, level }: { readonly version: ModuleVersion; readonly level: Level },
  asOf: AsOf,
): readonly SoakServed[] {
  const served = services.of(version, level, asOf);
  return stepClocks(subject, version, level).map(({ level: each, what, counts }) => ({
    level: each,
    what,
    // Holds after that moment do not matter here.
    ms: lengthBefore(running(served, held, counts), asOf.nowMs),
  }));
}
