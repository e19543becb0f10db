import { oncePerWith } from "../document/once.ts";
import { conditionCourse, type WantedVersion } from "./condition.ts";
import { versionOn, type ModuleUser, type Users } from "./users.ts";

/** A content that a control plane serves, and the object that contains it. */
export interface LiveContent {
  readonly module: string;
  readonly version: string;
  /** `specHash` of its template. */
  readonly specHash: string;
  /** The template on the control plane. */
  readonly uid: string;
  readonly generation: number;
  readonly mandatory: boolean;
  readonly deadlineMs: number;
  /** The channels that serve it from this object, and since when. */
  readonly channels: readonly ServingChannel[];
}

/** A channel that serves a content. Unix milliseconds. */
export interface ServingChannel extends Pick<WantedVersion, "restoredMs"> {
  readonly channel: string;
  readonly appliedMs: number;
  /** The commit that it was applied from, as the record says. */
  readonly commit?: string | undefined;
}

/** The observed use of a content in one object. */
export interface ExposureSum extends Pick<LiveContent, "module" | "version" | "specHash" | "uid" | "generation"> {
  /** The clusters that ran it in a stable state at the last observation, and those of them that were Ready. */
  readonly clusters: number;
  readonly healthy: number;
  /** The sum of the times for which clusters were Ready. Milliseconds. */
  readonly healthyMs: number;
  /** The first and the last observation. Unix milliseconds. */
  readonly sinceMs: number;
  readonly observedMs: number;
}

/** Sums by content and object; see `exposureKey`. */
export type ExposureSums = ReadonlyMap<string, ExposureSum>;

/** A longer gap between two observations adds no time, because nothing was seen in it. Milliseconds. */
export const MOST_GAP_MS = 120_000;

/**
 * If the clock is further back than this behind the last observation, the observation starts again from the current time.
 * Otherwise one clock that was ahead would stop all sums. This is much longer than a gap, so that observers whose clocks
 * differ cannot count the same time twice. Milliseconds.
 */
const MOST_BACK_MS = 3_600_000;

/** The maximum number of sums for a module, and for a landscape, whose sums are stored in one object. */
const KEPT = 8;
const MOST_SUMS = 1_000;

/** The key of a sum. A new generation of the same object replaces its sum. */
export function exposureKey({ uid, version, specHash }: Pick<ExposureSum, "uid" | "version" | "specHash">): string {
  return `${uid} ${version} ${specHash}`;
}

/**
 * The sums after one more observation. Each cluster adds the time since the previous observation for which it was Ready,
 * without the first 10 seconds of that state. The sum of a content that is no longer served does not change; that of
 * an object that another one replaces keeps its time, and has no clusters. Unknown users change nothing.
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
  for (const [key, sum] of replacedBy(served, next))
    next.set(key, { ...sum, clusters: 0, healthy: 0, observedMs: nowMs });
  const kept = [...Map.groupBy(next, ([, { module }]) => module).values()].flatMap((own) => lastSeen(own, KEPT));
  return new Map(lastSeen(kept, MOST_SUMS));
}

/**
 * The sums of objects whose content another object serves now, such as a template that was deleted and created again:
 * that counts the same clusters.
 */
function replacedBy(served: readonly LiveContent[], sums: ExposureSums): readonly (readonly [string, ExposureSum])[] {
  const keys = new Set(served.map(exposureKey));
  const contentOf = ({ module, version, specHash }: Pick<ExposureSum, "module" | "version" | "specHash">): string =>
    `${module} ${version} ${specHash}`;
  const contents = new Set(served.map(contentOf));
  return [...sums].filter(([key, sum]) => sum.clusters > 0 && !keys.has(key) && contents.has(contentOf(sum)));
}

/** Returns `undefined` for a content that no cluster was ever seen to run. */
function look(
  before: ExposureSum | undefined,
  users: readonly ModuleUser[],
  content: LiveContent,
  nowMs: number,
): ExposureSum | undefined {
  const passedMs = nowMs - (before?.observedMs ?? nowMs);
  // The clock went back: the same time must not count twice.
  if (passedMs < 0 && passedMs >= -MOST_BACK_MS) return before;
  const fares = observedUse(users, content, { nowMs, passedMs });
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

/** The clusters that run a content at an observation, and the time that they add since the previous one. */
interface Fares {
  readonly clusters: number;
  readonly healthy: number;
  readonly addedMs: number;
}

/** The time of an observation, and the time since the previous one. Milliseconds. */
interface LookTime {
  readonly nowMs: number;
  readonly passedMs: number;
}

function observedUse(users: readonly ModuleUser[], content: LiveContent, { nowMs, passedMs }: LookTime): Fares {
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

/** Clusters whose state has been stable since the same instant. */
interface Stay {
  readonly isHealthy: boolean;
  /** Whether the start of the state is known. */
  readonly isWatched: boolean;
  /** Unix milliseconds. */
  readonly fromMs: number;
  readonly clusters: number;
}

/** The clusters that run a content, at any time. Cached, because most of a fleet does not change between observations. */
const staysOf = oncePerWith(
  (users: readonly ModuleUser[], content: LiveContent): readonly Stay[] => {
    const stays = users.map((user) => stableStay(user, content)).filter((stay) => stay !== undefined);
    const alike = Map.groupBy(stays, ({ isHealthy, isWatched, fromMs }) => `${isHealthy} ${isWatched} ${fromMs}`);
    return [...alike.values()].flatMap((same) => same.slice(0, 1).map((one) => ({ ...one, clusters: same.length })));
  },
  ({ version, mandatory, deadlineMs, channels }) => JSON.stringify([version, mandatory, deadlineMs, channels]),
);

/** Returns `undefined` if the cluster does not run the content, or neither has it nor fails with it. */
function stableStay(user: ModuleUser, content: LiveContent): Omit<Stay, "clusters"> | undefined {
  if (versionOn(user, content) !== content.version) return undefined;
  const { mandatory, version, deadlineMs, channels } = content;
  // The first offer of the content to the cluster counts.
  const [own] = channels
    .toSorted((a, b) => a.appliedMs - b.appliedMs)
    .map((channel) => conditionCourse(user, { mandatory, version, deadlineMs, ...channel }))
    .filter(({ then }) => then.kind !== "elsewhere");
  if (own?.then.kind !== "has" && own?.then.kind !== "failing") return undefined;
  const { first, then, turnsMs } = own;
  const isWatched = then.sinceMs !== undefined;
  // A failure that may be of an earlier version is left out, unless nobody knows: unknown is not healthy.
  const fromMs = first.mayFail && !isWatched ? -Infinity : turnsMs;
  return { isHealthy: then.kind === "has", isWatched, fromMs };
}

/** The sums that were observed last, at most `most`. */
function lastSeen(sums: readonly [string, ExposureSum][], most: number): readonly [string, ExposureSum][] {
  if (sums.length <= most) return sums;
  return sums.toSorted(([, a], [, b]) => b.observedMs - a.observedMs).slice(0, most);
}

/** The longest time for which stored figures that did not change keep their time. Milliseconds. */
const CONFIRMED_MS = 3_600_000;

/** Whether two observations are equal, and less than an hour apart: figures that are not confirmed become stale. */
export function isSameExposure(a: ExposureSums, b: ExposureSums): boolean {
  return a.size === b.size && [...a].every(([key, sum]) => isSameSum(sum, b.get(key)));
}

function isSameSum(sum: ExposureSum, other: ExposureSum | undefined): boolean {
  const names = ["generation", "clusters", "healthy", "healthyMs"] as const;
  const isConfirmed = other !== undefined && Math.abs(sum.observedMs - other.observedMs) < CONFIRMED_MS;
  return isConfirmed && names.every((name) => sum[name] === other[name]);
}
