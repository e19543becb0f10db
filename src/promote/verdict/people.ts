import { unknownChannelText } from "../../catalogue/holdStrength.ts";
import { holdsPath, hotfixesPath } from "../../catalogue/paths.ts";
import { interventionCommand } from "../../catalogue/commands.ts";
import type { ChannelName } from "../../catalogue/names.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { shellCommand } from "../../document/shellWord.ts";
import { locate, type YamlFile } from "../../document/yaml/read.ts";
import { countedHotfixes, hotfixRelations, type HotfixRelation } from "./candidates.ts";
import type { Revision } from "../../catalogue/history/history.ts";
import { inForce, periodOnUnknown, type HeldPeriod } from "./holding.ts";
import { passedChannels, type VerdictFacts, type Subject } from "./subject.ts";
import { instantText } from "../../document/times.ts";
import type { Reason, ReasonSource } from "./verdict.ts";

/** Judges what people decided about a version: holds, decreases by hand, and hot-fixes that it must not undo. */
export function judgePeople(
  subject: Subject,
  version: ModuleVersion,
  held: readonly HeldPeriod[],
  facts: VerdictFacts,
): readonly Reason[] {
  const { nowMs, history, contradiction, strays } = facts;
  return [
    ...(contradiction === undefined
      ? []
      : [{ topic: "files", outcome: "blocking", ...contradiction, source: undefined } as const]),
    ...judgeHolds(subject, version, [...held, ...strays.holds.map(periodOnUnknown)], nowMs),
    ...proposedReasons(subject, version, facts),
    ...hotfixRelations(subject, countedHotfixes(subject.channel.name, facts), history, version).map((relation) =>
      relationReason(subject, version, relation),
    ),
  ];
}

/** The part of a subject that reasons refer to. */
type PeopleSource = Pick<Subject, "module" | "channel" | "said">;

/** The reasons that hold a version at `nowMs`. */
export function judgeHolds(
  told: PeopleSource,
  version: ModuleVersion,
  held: readonly HeldPeriod[],
  nowMs: number,
): readonly Reason[] {
  return inForce(held, nowMs)
    .filter((period) => period.version === version)
    .map(({ why, endMs }): Reason => {
      const end = Number.isFinite(endMs) ? { metAtMs: endMs } : {};
      const said = why.kind === "hold" ? holdReason(told, why) : decreaseReason(told, version, why);
      return { outcome: "blocking", ...said, ...end };
    });
}

/** One of the two reasons why a version is held. */
type Why<Kind> = Extract<HeldPeriod["why"], { readonly kind: Kind }>;

function decreaseReason(
  { module }: PeopleSource,
  version: ModuleVersion,
  { channel, to, at }: Why<"decrease">,
): Omit<Reason, "outcome"> {
  return {
    topic: "withdrawal",
    message: `${channel} went down from ${version} to ${to} at ${instantText(at.atMs)}: the higher versions that it served count as held.`,
    remedy: liftRemedy({ module, version, channel }),
    source: { kind: "commit", commit: at.commit },
  };
}

function liftRemedy(aim: Parameters<typeof interventionCommand>[1]): string {
  return `Release a version above ${aim.version}, or lift it: ${interventionCommand("unhold", aim)}`;
}

function holdReason(
  { module, channel, said }: PeopleSource,
  { hold, from, isChannelUnknown }: Why<"hold">,
): Omit<Reason, "outcome"> {
  const { version, channel: place, by, reason, until } = hold;
  const outOf = place === undefined ? "" : ` out of ${place}`;
  const stray = isChannelUnknown ? ` (${unknownChannelText(place, holdsPath(module))})` : "";
  return {
    topic: place === undefined || place === channel.name ? "hold" : "withdrawal",
    message: `${by} holds ${version}${outOf} since ${instantText(from.atMs)}${until === undefined ? "" : ` until ${until}`}: ${reason}${stray}`,
    remedy: liftRemedy({ module, version, channel: place }),
    source: personSource(said?.files.holds, ["holds", personIndex(said?.holds, hold)], from),
  };
}

/** The fields that identify an entry; hot-fixes have no end. */
interface PersonEntry {
  readonly version: string;
  readonly channel?: string;
  readonly until?: string;
}

function personIndex(entries: readonly PersonEntry[] = [], { version, channel, until }: PersonEntry): number {
  return entries.findIndex((one) => one.version === version && one.channel === channel && one.until === until);
}

/** The line of the entry; if it is gone, the merge that brought it. */
function personSource(file: YamlFile | undefined, path: readonly [string, number], { commit }: Revision): ReasonSource {
  if (file === undefined || path[1] < 0) return { kind: "commit", commit };
  return { kind: "file", file: file.path, line: locate(file, path).line };
}

function proposedReasons(subject: Subject, version: ModuleVersion, { proposedHolds }: VerdictFacts): readonly Reason[] {
  const places: readonly (ChannelName | undefined)[] = [undefined, subject.channel.name, ...passedChannels(subject)];
  return proposedHolds
    .filter((hold) => hold.module === subject.module && hold.version === version && places.includes(hold.channel))
    .map(({ source }) => ({
      topic: "hold",
      outcome: "blocking",
      message: `A hold on ${version} is proposed (${source}): ${version} does not move before that is decided.`,
      // Without a forge, the source is a branch.
      remedy: URL.canParse(source)
        ? `Merge the hold, or close it: ${source}`
        : `Merge the hold (${shellCommand`git merge --no-ff ${source}`}), or drop it (${dropCommand(source)}).`,
      source: { kind: "evidence", source },
    }));
}

/**
 * The command that removes the branch of a proposal: `hold/…` in this clone, `origin/hold/…` at a remote. Someone may
 * have removed it there since the last fetch, and then the first command fails.
 */
export function dropCommand(source: string): string {
  const [, remote, branch = source] = /^([^/]+)\/((?:hold|unhold|withdraw)\/.*)$/.exec(source) ?? [];
  return remote === undefined
    ? shellCommand`git branch -D ${branch}`
    : shellCommand`git push ${remote} --delete ${branch}; if it is gone there: git fetch --prune ${remote}`;
}

function relationReason(
  { module, channel, followed, said }: Subject,
  version: ModuleVersion,
  relation: HotfixRelation,
): Reason {
  const { entry, from } = relation.hotfix;
  const about = {
    topic: "hot-fix",
    source: personSource(said?.files.hotfixes, ["hotfixes", personIndex(said?.hotfixes, entry)], from),
  } as const;
  const stray = entry.channel === channel.name ? "" : `; ${unknownChannelText(entry.channel, hotfixesPath(module))}`;
  const fix = `the hot-fix ${entry.version} of ${entry.channel} (${entry.incident}, ${instantText(from.atMs)}${stray})`;
  switch (relation.kind) {
    case "unfixed":
      return {
        ...about,
        outcome: "blocking",
        message: `${relation.channel} got ${version} before ${fix}. ${version} is not declared to have the repair, and would undo it.`,
        remedy: `Bring a repaired version to ${followed.name}; or, if ${version} has the repair, list it in alsoFixedIn of ${hotfixesPath(module)}.`,
      };
    case "presumed-fixed":
      return {
        ...about,
        outcome: "note",
        message: `${followed.name} got ${version} after ${fix}: it is presumed to have the repair.`,
      };
    case "listed":
      return { ...about, outcome: "note", message: `${relation.listed} is listed as having ${fix}.` };
  }
}
