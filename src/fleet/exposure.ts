import { refusedDowngrade } from "./cause.ts";
import type { ModuleUser, Users } from "./users.ts";
import { HELD_MS } from "./wave.ts";

/** A content that a control plane serves, and the object that holds it. */
export interface ServedContent {
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
export interface ExposureSum extends Pick<ServedContent, "module" | "version" | "specHash" | "uid" | "generation"> {
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
  served: readonly ServedContent[],
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
  content: ServedContent,
  nowMs: number,
): ExposureSum | undefined {
  const passedMs = nowMs - (before?.observedMs ?? nowMs);
  // The same time by the clock counts once.
  if (passedMs < 0 && passedMs >= -MOST_BACK_MS) return before;
  const fares = users.flatMap((user) => fareOf(user, content, nowMs) ?? []);
  if (before === undefined && fares.length === 0) return undefined;
  const { module, version, specHash, uid, generation } = content;
  return {
    ...{ module, version, specHash, uid, generation },
    ...{ healthyMs: 0, sinceMs: nowMs, ...before },
    ...added(fares, passedMs, before),
    observedMs: nowMs,
  };
}

function added(
  fares: readonly Fare[],
  passedMs: number,
  before: ExposureSum | undefined,
): Pick<ExposureSum, "clusters" | "healthy" | "healthyMs"> {
  const healthy = fares.filter(({ isHealthy }) => isHealthy);
  const isSeen = passedMs >= 0 && passedMs <= MOST_GAP_MS;
  const seenMs = isSeen ? healthy.map(({ heldMs }) => Math.min(heldMs, passedMs)) : [];
  const healthyMs = seenMs.reduce((a, b) => a + b, before?.healthyMs ?? 0);
  return { clusters: fares.length, healthy: healthy.length, healthyMs };
}

interface Fare {
  readonly isHealthy: boolean;
  /** For how long that was seen, beyond the time that a state has to hold; 0 where nobody watched. */
  readonly heldMs: number;
}

const FAILED: ReadonlySet<unknown> = new Set(["Warning", "Error"]);

/** How a cluster fares with a content; `undefined`: it does not run it, or that is not known. */
function fareOf(user: ModuleUser, content: ServedContent, nowMs: number): Fare | undefined {
  const { state, sinceMs } = user.condition;
  const appliedMs = appliedTo(user, content);
  if (appliedMs === undefined) return undefined;
  const heldMs = nowMs - Math.max(sinceMs ?? -Infinity, appliedMs) - HELD_MS;
  if (heldMs < 0) return undefined;
  if (state === "Ready") return { isHealthy: true, heldMs: sinceMs === undefined ? 0 : heldMs };
  return FAILED.has(state) ? { isHealthy: false, heldMs: 0 } : undefined;
}

/** When a cluster that runs a content was first offered it; `undefined`: it does not run it, or is not looked after. */
function appliedTo({ condition, ...user }: ModuleUser, content: ServedContent): number | undefined {
  const { channels, mandatory, version } = content;
  // A cluster that asks for a lower version says Warning, whatever becomes of this one.
  const isLeft = condition.leftOut !== undefined || refusedDowngrade(condition.cause) !== undefined;
  if (isLeft || (mandatory ? user.installed : user.version) !== version) return undefined;
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
