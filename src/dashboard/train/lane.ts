import type { Channel } from "../../catalogue/catalogue.ts";
import { failingShare } from "../../fleet/wave.ts";
import type { Status } from "../../promote/status.ts";
import type { EntryStatus, WantedStep } from "../../sync/landscapeStatus.ts";
import type { LandscapeSight } from "../state.ts";

/** Adjacent landscapes that serve the same version of a module in a channel. */
export interface Stretch {
  /** At least one. */
  readonly landscapes: readonly string[];
  /**
   * - `served`: the version of the repository, which all landscapes serve; `hotfix`: the same, as a hot-fix;
   * - `moving`, `arrived`: the version of the repository, which other landscapes do not have yet;
   * - `older`: another version than in the repository; `halted`: its wave is halted;
   * - `foreign`: the version of another commit, while it is not known what this one wants;
   * - `uncounted`: the version of the repository, on clusters that are not known;
   * - `nothing`: no version; `unseen`: not known.
   */
  readonly kind:
    "served" | "hotfix" | "moving" | "arrived" | "older" | "foreign" | "halted" | "uncounted" | "nothing" | "unseen";
  readonly version: string | undefined;
  /** Whether the landscape is not seen now. */
  readonly isBlind: boolean;
}

/** A note for one landscape in a lane, beneath its version. */
export type LaneNote =
  /** The share of clusters that have the version, if some do not. */
  | { readonly kind: "share"; readonly share: number }
  /** The share of clusters that fail, if the wave is halted or nothing else is missing. */
  | { readonly kind: "failing"; readonly share: number }
  /** When the wave enters the landscape. Unix milliseconds. */
  | { readonly kind: "soak"; readonly untilMs: number }
  /** Why the wave does not enter the landscape. */
  | { readonly kind: "kept"; readonly word: string };

/** A module in a channel, on all landscapes of the channel. */
export interface Lane {
  readonly channel: string;
  readonly stretches: readonly Stretch[];
  /** By landscape, in their order; empty if there is no note. */
  readonly notes: readonly { readonly landscape: string; readonly note: LaneNote | undefined }[];
  /** Whether some landscapes or clusters do not have the version yet. */
  readonly isMoving: boolean;
  readonly isHalted: boolean;
}

/** A landscape, and its entry for the module. */
interface LaneSpot {
  readonly landscape: string;
  readonly sight: LandscapeSight | undefined;
  readonly entry: EntryStatus | undefined;
}

/** The lane of a module in a channel, from its landscapes, or from the repository if no landscape was queried. */
export function channelLane(channel: Channel, status: Status, sights: readonly LandscapeSight[]): Lane {
  if (sights.length === 0) return repositoryLane(channel, status);
  const isMandatory = channel.kind === "mandatory";
  const spots = channel.landscapes.map((landscape): LaneSpot => {
    const sight = sights.find(({ name }) => name === landscape);
    const entry = sight?.status?.entries.find(
      (one) => one.module === status.module && (one.channel === channel.name || (one.mandatory && isMandatory)),
    );
    return { landscape, sight, entry };
  });
  const isMoving = status.version !== undefined && spots.some((spot) => isUnderway(spot, status.version));
  const stretches = spots.map((spot): Stretch => {
    const isBlind = spot.sight?.blind !== undefined;
    return { landscapes: [spot.landscape], ...placed(spot, status, isMoving), isBlind };
  });
  const notes = spots.map((spot) => ({ landscape: spot.landscape, note: laneNote(spot) }));
  return {
    channel: channel.name,
    stretches: merged(stretches),
    notes: notes.some(({ note }) => note !== undefined) ? notes : [],
    isMoving,
    isHalted: stretches.some(({ kind }) => kind === "halted"),
  };
}

function repositoryLane({ name, landscapes }: Channel, status: Status): Lane {
  const version = status.version;
  const kind = version === undefined ? "nothing" : status.hotfix === undefined ? "served" : "hotfix";
  const stretch: Stretch = { landscapes, kind, version, isBlind: false };
  return { channel: name, stretches: [stretch], notes: [], isMoving: false, isHalted: false };
}

function placed({ sight, entry }: LaneSpot, status: Status, isMoving: boolean): Pick<Stretch, "kind" | "version"> {
  if (sight?.status === undefined) return { kind: "unseen", version: undefined };
  if (entry?.version === undefined) return { kind: "nothing", version: undefined };
  const { version, wave } = entry;
  if (wave?.halt !== undefined) return { kind: "halted", version };
  if (version !== status.version) return { kind: entry.isWantedKnown ? "older" : "foreign", version };
  return { kind: stretchKind(entry, status, isMoving), version };
}

/** The kind of a stretch with the version of the repository. */
function stretchKind(entry: EntryStatus, status: Status, isMoving: boolean): Stretch["kind"] {
  if (entry.clusters === undefined) return "uncounted";
  if (isMoving) return isMissing(entry) ? "moving" : "arrived";
  return status.hotfix === undefined ? "served" : "hotfix";
}

/** Whether a landscape or its clusters do not have the version of the repository yet. */
function isUnderway({ sight, entry }: LaneSpot, version: string | undefined): boolean {
  if (sight?.status === undefined) return false;
  if (entry === undefined) return sight.status.isWantedKnown;
  return entry.version === version ? isMissing(entry) : entry.isWantedKnown;
}

/** Whether clusters lack the version, or fail with it. */
function isMissing({ clusters }: EntryStatus): boolean {
  return clusters !== undefined && clusters.counts.pending + clusters.counts.failing.count > 0;
}

function laneNote({ entry }: LaneSpot): LaneNote | undefined {
  if (entry === undefined) return undefined;
  const isHalted = entry.wave?.halt !== undefined;
  return (isHalted ? undefined : waitNote(entry.wanted)) ?? clustersNote(entry, isHalted);
}

function waitNote(wanted: WantedStep | undefined): LaneNote | undefined {
  if (wanted?.kind === "waiting" && wanted.untilMs !== undefined) return { kind: "soak", untilMs: wanted.untilMs };
  return wanted?.reason === undefined ? undefined : { kind: "kept", word: wanted.kind };
}

function clustersNote({ clusters }: EntryStatus, isHalted: boolean): LaneNote | undefined {
  if (clusters === undefined) return undefined;
  const { inOrder, pending, failing } = clusters.counts;
  const all = inOrder + pending + failing.count;
  if (all === inOrder) return undefined;
  if (isHalted || pending === 0) return { kind: "failing", share: failingShare({ failing: failing.count, inOrder }) };
  return { kind: "share", share: inOrder / all };
}

/** Joins adjacent landscapes that are alike. */
function merged(stretches: readonly Stretch[]): readonly Stretch[] {
  const result: Stretch[] = [];
  for (const next of stretches) {
    const last = result.at(-1);
    const isAlike = last?.kind === next.kind && last.version === next.version && last.isBlind === next.isBlind;
    if (last === undefined || !isAlike) result.push(next);
    else result[result.length - 1] = { ...last, landscapes: [...last.landscapes, ...next.landscapes] };
  }
  return result;
}
