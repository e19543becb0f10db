import type { Channel } from "../../catalogue/catalogue.ts";
import type { Status } from "../../promote/status.ts";
import type { EntryStatus } from "../../sync/landscapeStatus.ts";
import { clustersOf } from "../../sync/plan/wave.ts";
import type { LandscapeSight } from "../state.ts";

/** What landscapes beside one another serve of a module in a channel. */
export interface Stretch {
  /** Those that are alike. Not empty; `undefined`: no landscape was asked, and the repository speaks. */
  readonly landscapes: readonly string[];
  /**
   * - `served`: as the repository says, as everywhere in the lane; `hotfix`: as a hot-fix;
   * - `moving`, `arrived`: as the repository says, while others are not there yet;
   * - `older`: another version than the repository says; `halted`: its wave goes no further;
   * - `nothing`: no version; `unseen`: nobody knows.
   */
  readonly kind: "served" | "hotfix" | "moving" | "arrived" | "older" | "halted" | "nothing" | "unseen";
  readonly version: string | undefined;
  /** Whether it is of an earlier look. */
  readonly isBlind: boolean;
}

/** What is to be said of one landscape in a lane, beneath its version. */
export type LaneNote =
  /** Some clusters do not have it yet. */
  | { readonly kind: "share"; readonly share: number }
  /** The share of clusters that failed when the wave halted. */
  | { readonly kind: "failing"; readonly share: number }
  /** The wave enters then. Unix milliseconds. */
  | { readonly kind: "soak"; readonly untilMs: number }
  /** Why the wave does not enter. */
  | { readonly kind: "kept"; readonly word: string };

/** A module in a channel, over all landscapes of it. */
export interface Lane {
  readonly channel: string;
  readonly stretches: readonly Stretch[];
  /** By landscape, in their order; none where nothing is to be said. */
  readonly notes: readonly { readonly landscape: string; readonly note: LaneNote | undefined }[];
  /** Whether a version is on its way through it. */
  readonly isMoving: boolean;
  readonly isHalted: boolean;
}

/** A landscape and what it serves of the module. */
interface LaneSpot {
  readonly landscape: string;
  readonly sight: LandscapeSight | undefined;
  readonly entry: EntryStatus | undefined;
}

/** The lane of a module in a channel, from what landscapes serve; from the repository alone where none was asked. */
export function laneOf(channel: Channel, status: Status, sights: readonly LandscapeSight[]): Lane {
  if (sights.length === 0) return repositoryLane(channel, status);
  const spots = channel.landscapes.map((landscape) => spotOf(landscape, channel, status, sights));
  const isMoving = status.version !== undefined && spots.some((spot) => isBehind(spot, status.version));
  const stretches = spots.map((spot): Stretch => {
    const isBlind = spot.sight?.blind !== undefined;
    return { landscapes: [spot.landscape], ...placed(spot, status, isMoving), isBlind };
  });
  const notes = spots.map((spot) => ({ landscape: spot.landscape, note: noteOf(spot) }));
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

function spotOf(landscape: string, channel: Channel, status: Status, sights: readonly LandscapeSight[]): LaneSpot {
  const sight = sights.find(({ name }) => name === landscape);
  const entry = sight?.status?.entries.find(
    (one) => one.module === status.module && (one.channel === channel.name || (one.mandatory && isMandatory(channel))),
  );
  return { landscape, sight, entry };
}

function isMandatory({ kind }: Channel): boolean {
  return kind === "mandatory";
}

function isBehind({ sight, entry }: LaneSpot, wanted: string | undefined): boolean {
  if (sight?.status === undefined) return false;
  return entry?.version !== wanted || missingShare(entry) !== undefined;
}

function placed({ sight, entry }: LaneSpot, status: Status, isMoving: boolean): Pick<Stretch, "kind" | "version"> {
  if (sight?.status === undefined) return { kind: "unseen", version: undefined };
  if (entry?.version === undefined) return { kind: "nothing", version: undefined };
  return { kind: kindOf(entry, status, isMoving), version: entry.version };
}

function kindOf(entry: EntryStatus, status: Status, isMoving: boolean): Stretch["kind"] {
  if (entry.wave?.halt !== undefined) return "halted";
  if (entry.version !== status.version) return "older";
  if (isMoving) return missingShare(entry) === undefined ? "arrived" : "moving";
  return status.hotfix === undefined ? "served" : "hotfix";
}

/** The share of clusters that have the version; `undefined` where none is missing, or nobody counted. */
function missingShare(entry: EntryStatus | undefined): number | undefined {
  const { wave } = entry ?? {};
  if (wave === undefined || wave.pending + wave.failing === 0) return undefined;
  return wave.inOrder / clustersOf(wave);
}

function noteOf({ entry }: LaneSpot): LaneNote | undefined {
  const { wave, wanted } = entry ?? {};
  if (wave?.halt !== undefined)
    return { kind: "failing", share: wave.failing / Math.max(1, wave.failing + wave.inOrder) };
  if (wanted?.kind === "waiting" && wanted.untilMs !== undefined) return { kind: "soak", untilMs: wanted.untilMs };
  if (wanted?.reason !== undefined) return { kind: "kept", word: wanted.kind };
  const share = missingShare(entry);
  return share === undefined ? undefined : { kind: "share", share };
}

/** Landscapes beside one another that are alike are one stretch. */
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
