import type { ModuleVersion } from "../../catalogue/version.ts";
import { locate, type YamlFile } from "../../catalogue/yaml.ts";
import { memoriesOf, type Memory } from "./candidates.ts";
import type { Revision } from "./history.ts";
import type { HeldPeriod } from "./holding.ts";
import type { Facts, Subject } from "./subject.ts";
import { instantText } from "./text.ts";
import type { Reason, ReasonSource } from "./verdict.ts";

/** What people decided about a version: holds, decreases by hand, hot-fixes that it may not undo. */
export function judgePeople(
  subject: Subject,
  version: ModuleVersion,
  held: readonly HeldPeriod[],
  facts: Facts,
): readonly Reason[] {
  const { nowMs, history } = facts;
  const now = held.filter((period) => period.version === version && period.startMs <= nowMs && period.endMs > nowMs);
  return [
    ...contradictionReasons(facts),
    ...now.map((period) => heldReason(subject, period)),
    ...proposedReasons(subject, version, facts),
    ...memoriesOf(subject, history, version).map((memory) => memoryReason(subject, version, memory)),
  ];
}

function contradictionReasons({ contradiction: message }: Facts): readonly Reason[] {
  if (message === undefined) return [];
  const remedy = "Correct the files: kyma-modules check says what is wrong.";
  return [{ topic: "files", outcome: "blocking", message, remedy, source: undefined }];
}

function heldReason(subject: Subject, period: HeldPeriod): Reason {
  const { why, endMs } = period;
  const end = Number.isFinite(endMs) ? { metAtMs: endMs } : {};
  const said = why.kind === "hold" ? holdReason(subject, why) : decreaseReason(subject, period.version, why);
  return { outcome: "blocking", ...said, ...end };
}

/** One of the two reasons why a version is held. */
type Why<Kind> = Extract<HeldPeriod["why"], { readonly kind: Kind }>;

function decreaseReason(
  { module }: Subject,
  version: ModuleVersion,
  { channel, to, at }: Why<"decrease">,
): Omit<Reason, "outcome"> {
  return {
    topic: "withdrawal",
    message: `${channel} went down from ${version} to ${to} at ${instantText(at.atMs)}: what it served above counts as held.`,
    remedy: `Release a version above ${version}, or lift it: kyma-modules unhold ${module}@${version} --channel ${channel}.`,
    source: { kind: "commit", commit: at.commit },
  };
}

function holdReason({ module, channel, said }: Subject, { hold, from }: Why<"hold">): Omit<Reason, "outcome"> {
  const { version, channel: place, by, reason, until } = hold;
  const [outOf, option] = place === undefined ? ["", ""] : [` out of ${place}`, ` --channel ${place}`];
  return {
    topic: place === undefined || place === channel.name ? "hold" : "withdrawal",
    message: `${by} holds ${version}${outOf} since ${instantText(from.atMs)}${until === undefined ? "" : ` until ${until}`}: ${reason}`,
    remedy: `Release a version above ${version}, or lift it: kyma-modules unhold ${module}@${version}${option}.`,
    source: sourceOf(said?.files.holds, ["holds", indexOf(said?.holds, hold)], from),
  };
}

/** What tells one entry from another; hot-fixes have no end. */
interface Entry {
  readonly version: string;
  readonly channel?: string;
  readonly until?: string;
}

function indexOf(entries: readonly Entry[] = [], { version, channel, until }: Entry): number {
  return entries.findIndex((one) => one.version === version && one.channel === channel && one.until === until);
}

/** Where the entry stands; the merge that brought it where it stands no longer. */
function sourceOf(file: YamlFile | undefined, path: readonly [string, number], { commit }: Revision): ReasonSource {
  if (file === undefined || path[1] < 0) return { kind: "commit", commit };
  return { kind: "file", file: file.path, line: locate(file, path).line };
}

function proposedReasons(
  { module, channel, followed }: Subject,
  version: ModuleVersion,
  { proposedHolds }: Facts,
): readonly Reason[] {
  return proposedHolds
    .filter(
      (hold) =>
        hold.module === module &&
        hold.version === version &&
        (hold.channel === undefined || hold.channel === channel.name || hold.channel === followed.name),
    )
    .map(({ source }) => ({
      topic: "hold",
      outcome: "blocking",
      message: `A hold on ${version} is proposed (${source}), and nothing moves before that is decided.`,
      remedy: "Merge the hold, or close it.",
      source: { kind: "evidence", source },
    }));
}

function memoryReason({ module, channel, followed, said }: Subject, version: ModuleVersion, memory: Memory): Reason {
  const { entry, from } = memory.hotfix;
  const about = {
    topic: "hot-fix",
    source: sourceOf(said?.files.hotfixes, ["hotfixes", indexOf(said?.hotfixes, entry)], from),
  } as const;
  const fix = `the hot-fix ${entry.version} of ${channel.name} (${entry.incident}, ${instantText(from.atMs)})`;
  switch (memory.kind) {
    case "unfixed":
      return {
        ...about,
        outcome: "blocking",
        message: `${followed.name} got ${version} before ${fix}, and nobody said that it has the repair: it would undo it.`,
        remedy: `Bring a repaired version to ${followed.name}; or, if ${version} has the repair, list it in alsoFixedIn of modules/${module}/hotfixes.yaml.`,
      };
    case "presumed-fixed":
      return {
        ...about,
        outcome: "note",
        message: `${followed.name} got ${version} after ${fix}: it is presumed to have the repair.`,
      };
    case "listed":
      return { ...about, outcome: "note", message: `${memory.listed} is listed as having ${fix}.` };
  }
}
