import type { ChannelName } from "../../catalogue/names.ts";
import { isHeld, type Hold, type Hotfix, type Level } from "../../catalogue/policy.ts";
import { stepLevel } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import type { DeclaredEntry, ModuleHistory, Revision, ServedState } from "../../catalogue/history/history.ts";
import { stepKind as timelineSays } from "../timeline/step.ts";
import { historyAt } from "../../catalogue/history/moduleHistory.ts";
import type { Gap } from "./replayInput.ts";

/** One step of a following channel with a module, and its kind. */
export interface PromotionChange {
  readonly revision: Revision;
  /** What the channel served before; `undefined`: nothing. */
  readonly from: ModuleVersion | undefined;
  readonly to: ModuleVersion | undefined;
  /** What the followed channel served after the same commit. */
  readonly followed: ModuleVersion | undefined;
  readonly how: PromotionKind;
  /** Why its time is unknown, or, for a promotion, the time since the followed channel got the version. */
  readonly undated: Undated | undefined;
}

/** A channel got the version some time in a gap: it was seen only at the end of the gap. */
interface Undated {
  /** The channel itself, or the one that it follows. */
  readonly channel: ChannelName;
  readonly gap: Gap;
}

/** How a version came into a following channel. */
type PromotionKind =
  /** There is no earlier state: the channel gets the module together with the followed one, or before it. */
  | { readonly kind: "first" }
  /**
   * The followed channel had it before, or in the same commit. `leadMs`: the time since then; `undefined` when undated.
   */
  | { readonly kind: "promotion"; readonly level: Level; readonly leadMs: number | undefined }
  /** Declared as a hot-fix; else the followed channel never serves it, and it is a patch of the channel's version. */
  | { readonly kind: "hot-fix"; readonly declared: DeclaredEntry<Hotfix> | undefined }
  /** The followed channel was not seen to serve it before: either that went unseen, or a person bypassed it. */
  | { readonly kind: "unknown"; readonly level: Level }
  /** A step down with a hold on the former version, as in `history`. */
  | { readonly kind: "withdrawal"; readonly hold: Hold }
  /** Below the channel's version, or, if it served nothing, below the highest version that it ever served. */
  | { readonly kind: "downgrade"; readonly highest: ModuleVersion }
  | { readonly kind: "removal" };

/** A channel, and the one that it follows. */
interface ChannelPair {
  readonly channel: ChannelName;
  readonly followed: ChannelName;
}

/** The steps of the channel with the module, oldest first. New content of the same version is not a step. */
export function promotionChanges(
  history: ModuleHistory,
  pair: ChannelPair,
  gaps: readonly Gap[],
): readonly PromotionChange[] {
  const [ahead, states] = [history.served.get(pair.followed) ?? [], history.served.get(pair.channel) ?? []];
  const first = firstServed(ahead);
  let from: ModuleVersion | undefined;
  let highest: ModuleVersion | undefined;
  return states.flatMap(({ revision, version: to }): PromotionChange[] => {
    const step = { from, highest, to, revision, channel: pair.channel };
    from = to;
    if (highest === undefined || (to !== undefined && compareVersions(to, highest) >= 0)) highest = to;
    if (step.from === to) return [];
    const followed = ahead.findLast((state) => state.revision.index <= revision.index)?.version;
    const about = { revision, from: step.from, to, followed };
    return [{ ...about, ...dated(promotionKind(step, first, history), step, { pair, first, gaps }) }];
  });
}

/** A step in a gap has no lead time. Neither has one to a version that the followed channel got in a gap. */
function dated(
  how: PromotionKind,
  { revision, to }: VersionStep,
  { pair, first, gaps }: { readonly pair: ChannelPair; readonly first: First; readonly gaps: readonly Gap[] },
): Pick<PromotionChange, "how" | "undated"> {
  const own = gapEndedBy(revision, pair.channel, gaps);
  if (how.kind !== "promotion") return { how, undated: own };
  const undated = own ?? gapEndedBy(to && first.get(to), pair.followed, gaps);
  return { how: undated === undefined ? how : { ...how, leadMs: undefined }, undated };
}

function gapEndedBy(revision: Revision | undefined, channel: ChannelName, gaps: readonly Gap[]): Undated | undefined {
  const gap = gaps.find(({ commit }) => commit === revision?.commit);
  return gap && { channel, gap };
}

/** The revision at which a channel first served each version. */
export function firstServed(states: readonly ServedState[]): ReadonlyMap<ModuleVersion, Revision> {
  const first = new Map<ModuleVersion, Revision>();
  for (const { version, revision } of states)
    if (version !== undefined && !first.has(version)) first.set(version, revision);
  return first;
}

interface VersionStep {
  readonly channel: ChannelName;
  readonly from: ModuleVersion | undefined;
  readonly highest: ModuleVersion | undefined;
  readonly to: ModuleVersion | undefined;
  readonly revision: Revision;
}

function promotionKind(step: VersionStep, first: First, history: ModuleHistory): PromotionKind {
  const { channel, from, highest, to, revision } = step;
  if (to === undefined) return { kind: "removal" };
  const below = from ?? highest;
  const seen = seenBy(revision, to, first);
  if (below === undefined)
    return seen === undefined || seen.index === revision.index ? { kind: "first" } : cameIn(seen, revision, "first");
  if (compareVersions(below, to) > 0) return goingDown(step, below, history);
  const level = stepLevel(below, to);
  const isOwn = level === "patch" && !first.has(to);
  const declared = history.hotfixes.find(({ entry }) => entry.version === to && entry.channel === channel);
  return declared !== undefined || isOwn ? { kind: "hot-fix", declared } : cameIn(seen, revision, level);
}

/** A withdrawal has a hold on the former version; a downgrade has none. */
function goingDown(
  { channel, from, highest, to, revision }: VersionStep,
  below: ModuleVersion,
  history: ModuleHistory,
): PromotionKind {
  const then = historyAt(history, revision.index);
  const step = { channel, revision, from, to, standing: { current: from, highest } };
  const isWithdrawal =
    timelineSays(step, then, { follows: true, hotfix: undefined, claim: undefined }) === "withdrawal";
  const hold = then.holds.find(
    (one) => one.to === undefined && isHeld([one.entry], below, channel, revision.atMs),
  )?.entry;
  return isWithdrawal && hold !== undefined ? { kind: "withdrawal", hold } : { kind: "downgrade", highest: below };
}

type First = ReadonlyMap<ModuleVersion, Revision>;

/** The revision at which the followed channel first served it, if that was not later. */
function seenBy({ index }: Revision, version: ModuleVersion, first: First): Revision | undefined {
  const seen = first.get(version);
  return seen !== undefined && seen.index <= index ? seen : undefined;
}

/** Does not give a negative lead time if clocks went backwards. */
function cameIn(seen: Revision | undefined, { atMs }: Revision, level: Level): PromotionKind {
  if (seen === undefined) return { kind: "unknown", level };
  return { kind: "promotion", level, leadMs: Math.max(0, atMs - seen.atMs) };
}
