import { oncePerWith } from "../document/once.ts";
import { refusedDowngrade } from "./cause.ts";
import type { ModuleUser, Users } from "./users.ts";
import { FAILED_STATES, HELD_MS } from "./wave.ts";

/** A content that a control plane serves, and the object that holds it. */
export interface LiveContent {
  readonly module: string;
  readonly version: string;
  /** `specHash` of its template. */
  readonly specHash: string;
  /** The template on the control plane. */
  readonly uid: string;
  readonly generation: number;
  readonly mandatory: boolean;
  /** The channels that serve it from this object, and since when. Unix milliseconds. */
  readonly channels: readonly { readonly channel: string; readonly appliedMs: number }[];
}

/** How much use a content has seen in one object, as far as it was observed. */
export interface ExposureSum extends Pick<LiveContent, "module" | "version" | "specHash" | "uid" | "generation"> {
  /** Clusters that ran it at the last look and whose state had held, and those of them that were Ready. */
  readonly clusters: number;
  readonly healthy: number;
  /** The time that clusters were Ready, added up. Milliseconds. */
  readonly healthyMs: number;
  /** The first and the last look. Unix milliseconds. */
  readonly sinceMs: number;
  readonly observedMs: number;
}

/** Sums by content and object; see `exposureKey`. */
export type ExposureSums = ReadonlyMap<string, ExposureSum>;

/** A longer time between two looks counts as nothing: what happened in it was not seen. Milliseconds. */
export const MOST_GAP_MS = 120_000;

/**
 * A clock that is further back than the last look begins anew, lest one that was wrong stops all sums. It is so much longer
 * than a gap that observers whose clocks differ cannot lead each other back and forth over the same time. Milliseconds.
 */
const MOST_BACK_MS = 3_600_000;

/** How many contents of a module are kept, and of a landscape: they lie in one object. */
const KEPT = 8;
const MOST_SUMS = 1_000;

/** What a sum is of. Another generation of the same object begins a new sum in its place. */
export function exposureKey({ uid, version, specHash }: Pick<ExposureSum, "uid" | "version" | "specHash">): string {
  return `${uid} ${version} ${specHash}`;
}

/**
 * The sums after one more look. A cluster adds the time for which its Ready was seen to last, without its first seconds,
 * since the look before. What is no longer served stays as it was seen last. Users that are unknown change nothing.
 */
export function advanceExposure(
  sums: ExposureSums,
  users: Users,
  served: readonly LiveContent[],
  nowMs: number,
): ExposureSums {
  if (users.kind === "unknown") return sums;
  const next = new Map(sums);
  for (const content of served) {
    const key = exposureKey(content);
    const before = sums.get(key);
    const known = before?.generation === content.generation ? before : undefined;
    const sum = look(known, users.modules.get(content.module) ?? [], content, nowMs);
    if (sum !== undefined) next.set(key, sum);
    else if (before !== known) next.delete(key);
  }
  return newest(next);
}

/** A content that no cluster was ever seen to run has no sum. */
function look(
  before: ExposureSum | undefined,
  users: readonly ModuleUser[],
  content: LiveContent,
  nowMs: number,
): ExposureSum | undefined {
  const passedMs = nowMs - (before?.observedMs ?? nowMs);
  // The same time by the clock counts once.
  if (passedMs < 0 && passedMs >= -MOST_BACK_MS) return before;
  const fares = faresOf(users, content, { nowMs, passedMs });
  if (before === undefined && fares.clusters === 0) return undefined;
  const { module, version, specHash, uid, generation } = content;
  return {
    ...{ module, version, specHash, uid, generation },
    ...{ healthyMs: 0, sinceMs: nowMs, ...before },
    ...{ clusters: fares.clusters, healthy: fares.healthy },
    healthyMs: (before?.healthyMs ?? 0) + fares.addedMs,
    observedMs: nowMs,
  };
}

/** How clusters fare with a content at a look, and the time that they add since the look before. */
interface Fares {
  readonly clusters: number;
  readonly healthy: number;
  readonly addedMs: number;
}

/** When it is, and how long the look before is ago. Milliseconds. */
interface LookTime {
  readonly nowMs: number;
  readonly passedMs: number;
}

function faresOf(users: readonly ModuleUser[], content: LiveContent, { nowMs, passedMs }: LookTime): Fares {
  const stays = users.length === 0 ? [] : staysOf(users, content);
  const isSeen = passedMs >= 0 && passedMs <= MOST_GAP_MS;
  const fares = { clusters: 0, healthy: 0, addedMs: 0 };
  for (const { isHealthy, isWatched, fromMs, clusters } of stays) {
    const heldMs = nowMs - fromMs;
    if (heldMs < 0) continue;
    fares.clusters += clusters;
    if (!isHealthy) continue;
    fares.healthy += clusters;
    if (isSeen && isWatched) fares.addedMs += clusters * Math.min(heldMs, passedMs);
  }
  return fares;
}

/** Clusters whose state has held from the same instant on. */
interface Stay {
  readonly isHealthy: boolean;
  /** Whether it was seen when that began. */
  readonly isWatched: boolean;
  /** Unix milliseconds. */
  readonly fromMs: number;
  readonly clusters: number;
}

/** The clusters that run a content, whenever it is. Between two looks most of a fleet does not change. */
const staysOf = oncePerWith(
  (users: readonly ModuleUser[], content: LiveContent): readonly Stay[] => {
    const stays = users.map((user) => stayOf(user, content)).filter((stay) => stay !== undefined);
    const alike = Map.groupBy(stays, ({ isHealthy, isWatched, fromMs }) => `${isHealthy} ${isWatched} ${fromMs}`);
    return [...alike.values()].flatMap((same) => same.slice(0, 1).map((one) => ({ ...one, clusters: same.length })));
  },
  ({ version, mandatory, channels }) => JSON.stringify([version, mandatory, channels]),
);

/** How a cluster fares with a content; `undefined`: it does not run it, or that is not known. */
function stayOf(user: ModuleUser, content: LiveContent): Omit<Stay, "clusters"> | undefined {
  const { state, sinceMs } = user.condition;
  const appliedMs = appliedTo(user, content);
  if (appliedMs === undefined || (state !== "Ready" && !FAILED_STATES.has(state))) return undefined;
  const fromMs = Math.max(sinceMs ?? -Infinity, appliedMs) + HELD_MS;
  return { isHealthy: state === "Ready", isWatched: sinceMs !== undefined, fromMs };
}

/** When a cluster that runs a content was first offered it; `undefined`: it does not run it, or is not looked after. */
function appliedTo({ condition, ...user }: ModuleUser, content: LiveContent): number | undefined {
  const { channels, mandatory, version } = content;
  if ((mandatory ? user.installed : user.version) !== version) return undefined;
  // A cluster that asks for a lower version says Warning, whatever becomes of this one.
  if (condition.leftOut !== undefined || refusedDowngrade(condition.cause) !== undefined) return undefined;
  const own = channels.filter(({ channel }) => mandatory || condition.channels.includes(channel));
  return own.length === 0 ? undefined : Math.min(...own.map(({ appliedMs }) => appliedMs));
}

/** The sums that were seen last, a bounded number. */
function newest(sums: ExposureSums): ExposureSums {
  const byModule = Map.groupBy(sums, ([, { module }]) => module);
  const kept = [...byModule.values()].flatMap((own) => lastSeen(own, KEPT));
  return new Map(lastSeen(kept, MOST_SUMS));
}

function lastSeen(sums: readonly [string, ExposureSum][], most: number): readonly [string, ExposureSum][] {
  if (sums.length <= most) return sums;
  return sums.toSorted(([, a], [, b]) => b.observedMs - a.observedMs).slice(0, most);
}

/** Whether two looks differ in more than when they were made. */
export function isSameExposure(a: ExposureSums, b: ExposureSums): boolean {
  return a.size === b.size && [...a].every(([key, sum]) => isSameSum(sum, b.get(key)));
}

function isSameSum(a: ExposureSum, b: ExposureSum | undefined): boolean {
  return (["generation", "clusters", "healthy", "healthyMs"] as const).every((name) => a[name] === b?.[name]);
}
