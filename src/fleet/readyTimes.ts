import { oncePerWith } from "../document/once.ts";
import { clusterCondition, conditionCourse, type WantedVersion } from "./condition.ts";
import { versionOn, type ModuleUser, type Users } from "./users.ts";

/** A version that an entry serves. */
export interface ServedEntry extends WantedVersion {
  /** The key of the entry. */
  readonly key: string;
  readonly module: string;
  readonly channel: string;
  readonly appliedMs: number;
}

/** How long clusters took from the apply of a version to Ready. */
export interface ReadyTimes {
  readonly version: string;
  readonly appliedMs: number;
  /** The number of clusters by the first of `READY_BOUNDS_MS` within which they were Ready; beyond all, one more number. */
  readonly counts: readonly number[];
}

/** The times of the version that an entry serves, and of the previous version. */
export interface EntryTimes {
  readonly current: ReadyTimes;
  readonly replaced: ReadyTimes | undefined;
}

/** The observation of clusters that upgrade. */
export interface ReadyWatch {
  /** By the key of an entry. */
  readonly times: ReadonlyMap<string, EntryTimes>;
  /** By the key of an entry, the clusters that were seen without its version, if any. Not kept across restarts. */
  readonly waiting: ReadonlyMap<string, ReadonlySet<string>>;
  /** The users at the last observation. */
  readonly users: Users | undefined;
}

/** A cluster that became Ready with the version of an entry. */
export interface ReadyArrival {
  readonly entry: ServedEntry;
  /** From the apply to Ready. Milliseconds. */
  readonly tookMs: number;
}

/** The upper bounds of a histogram, from 5 s to 15 d; each is √2 times the previous one. Milliseconds. */
export const READY_BOUNDS_MS: readonly number[] = Array.from({ length: 37 }, (_, index) =>
  Math.round(5_000 * 2 ** (index / 2)),
);

/** The state before the first observation. */
export const NO_WATCH: ReadyWatch = { times: new Map(), waiting: new Map(), users: undefined };

/**
 * The state after one more observation. Only a cluster that was seen without the version counts, once, when it has stayed
 * Ready. A cluster that is new, or was not watched, has no time since the apply.
 */
export function advanceReady(
  watch: ReadyWatch,
  users: Users,
  served: readonly ServedEntry[],
  nowMs: number,
): { readonly watch: ReadyWatch; readonly arrivals: readonly ReadyArrival[] } {
  if (users.kind === "unknown") return { watch, arrivals: [] };
  const looks = served.map((entry) => lookAt(entry, watch, usersIn(users, entry), nowMs));
  return {
    watch: {
      times: new Map(looks.map(({ entry, times }) => [entry.key, times])),
      waiting: new Map(looks.flatMap(({ entry, waiting }) => (waiting.size === 0 ? [] : [[entry.key, waiting]]))),
      users,
    },
    arrivals: looks.flatMap(({ arrivals }) => arrivals),
  };
}

interface EntryLook {
  readonly entry: ServedEntry;
  readonly times: EntryTimes;
  readonly waiting: ReadonlySet<string>;
  readonly arrivals: readonly ReadyArrival[];
}

function lookAt(entry: ServedEntry, watch: ReadyWatch, users: readonly ModuleUser[], nowMs: number): EntryLook {
  const before = watch.times.get(entry.key);
  const times = entryReadyTimes(entry, before);
  const known = times === before ? watch.waiting.get(entry.key) : undefined;
  // The previous users count as well: a cluster may upgrade before the first observation after the apply.
  const others = [othersIn(usersIn(watch.users, entry), entry), othersIn(users, entry)];
  // The usual case, kept cheap.
  if (known === undefined && others.every(({ length }) => length === 0))
    return { entry, times, waiting: NO_CLUSTERS, arrivals: [] };
  const waiting = new Set([...(known ?? []), ...others.flat()]);
  const arrivals: ReadyArrival[] = [];
  for (const user of users.filter(({ name }) => waiting.has(name))) {
    const seen = userOutcome(user, entry, nowMs);
    if (seen === "waits") continue;
    waiting.delete(user.name);
    if (seen !== "left") arrivals.push({ entry, tookMs: seen });
  }
  const counts = arrivals.map(({ tookMs }) => tookMs).reduce(countIn, times.current.counts);
  return { entry, times: { ...times, current: { ...times.current, counts } }, waiting, arrivals };
}

const NO_CLUSTERS: ReadonlySet<string> = new Set();

/** The times so far. Another version, or a new apply of the same version, starts without times. */
function entryReadyTimes({ version, appliedMs }: ServedEntry, before: EntryTimes | undefined): EntryTimes {
  if (before?.current.version === version && before.current.appliedMs === appliedMs) return before;
  return { current: { version, appliedMs, counts: [] }, replaced: before?.current };
}

function usersIn(users: Users | undefined, { module }: ServedEntry): readonly ModuleUser[] {
  return users?.kind === "known" ? (users.modules.get(module) ?? []) : [];
}

/** The names of the clusters that run a lower version. */
function othersIn(users: readonly ModuleUser[], entry: ServedEntry): readonly string[] {
  return users.length === 0 ? [] : othersAmong(users, entry);
}

/** Cached, because most of a fleet does not change between observations. */
const othersAmong = oncePerWith(
  (users: readonly ModuleUser[], entry: ServedEntry): readonly string[] =>
    users.filter((user) => isOther(user, entry)).map(({ name }) => name),
  ({ channel, mandatory, version }) => `${channel} ${mandatory} ${version}`,
);

/** Whether a cluster of the entry runs a lower version. */
function isOther(user: ModuleUser, entry: ServedEntry): boolean {
  const { kind } = conditionCourse(user, entry).then;
  const runs = versionOn(user, entry);
  return kind !== "left out" && kind !== "elsewhere" && runs !== undefined && runs !== entry.version;
}

/** The milliseconds from the apply to Ready; `left` if the time cannot be known, or the cluster runs another version. */
function userOutcome(user: ModuleUser, entry: ServedEntry, nowMs: number): number | "waits" | "left" {
  const { kind, sinceMs } = clusterCondition(user, entry, nowMs);
  switch (kind) {
    case "has":
      return sinceMs === undefined ? "left" : Math.max(0, sinceMs - entry.appliedMs);
    case "upgrading":
    case "waiting":
    case "failing":
      return "waits";
    case "left out":
    case "elsewhere":
      return "left";
  }
}

function countIn(counts: readonly number[], tookMs: number): readonly number[] {
  const found = READY_BOUNDS_MS.findIndex((bound) => tookMs <= bound);
  const place = found === -1 ? READY_BOUNDS_MS.length : found;
  return Array.from({ length: Math.max(counts.length, place + 1) }, (_, index) => {
    return (counts[index] ?? 0) + (index === place ? 1 : 0);
  });
}

/** The times within which shares of the clusters were Ready. */
export interface ReadyQuantiles {
  /** The number of clusters with a known time. */
  readonly clusters: number;
  /** Upper bounds in milliseconds; `Infinity` if beyond the last bound. */
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  /** The cumulative number of clusters that were Ready within each bound, up to the last bound that adds any. */
  readonly curve: readonly { readonly withinMs: number; readonly clusters: number }[];
}

/** The quantiles of a version's times; `undefined` if no time is known. */
export function readyQuantiles({ counts }: Pick<ReadyTimes, "counts">): ReadyQuantiles | undefined {
  const clusters = counts.reduce((a, b) => a + b, 0);
  if (clusters === 0) return undefined;
  const curve = READY_BOUNDS_MS.slice(0, counts.length).map((withinMs, index) => ({
    withinMs,
    clusters: counts.slice(0, index + 1).reduce((a, b) => a + b, 0),
  }));
  const within = (share: number): number =>
    curve.find((point) => point.clusters >= share * clusters)?.withinMs ?? Infinity;
  return { clusters, p50Ms: within(0.5), p90Ms: within(0.9), p99Ms: within(0.99), curve };
}
