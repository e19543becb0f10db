import { countRollout, type RolloutCounts, type RolloutQuestion } from "../fleet/rollout.ts";
import { readyQuantiles, type EntryTimes, type ReadyQuantiles, type ReadyTimes } from "../fleet/readyTimes.ts";
import { landscapeStatus, type EntryStatus, type StatusInput } from "./landscapeStatus.ts";
import { entriesIn, entryKey, placeOfKey, type EntryRecord, type PastVersion } from "./plan/records.ts";

/** How the versions of a module roll out on a landscape. */
export interface LandscapeRollout {
  readonly landscape: string;
  /** In the order of channels; none: nothing of the module is served. */
  readonly versions: readonly VersionRollout[];
  /** How many Kymas the control plane has; `undefined`: that is not known. */
  readonly kymas: number | undefined;
  /** Why it is not known who uses the module; `undefined`: it is. */
  readonly unknown: string | undefined;
}

/** A version, and how many clusters of its channel have it. */
export interface VersionRollout extends CountedVersion {
  /** `undefined`: no channel serves it. */
  readonly channel: string | undefined;
  readonly mandatory: boolean;
  /** The share of clusters that failed before it was applied; 0 to 1. `undefined`: that is not known. */
  readonly failedBefore: number | undefined;
  /** What the channel served before, counted among the same clusters; `undefined`: that is not known. */
  readonly replaced: CountedVersion | undefined;
}

/** A version that was served for a time, and its clusters. */
export interface CountedVersion {
  readonly version: string;
  /** `undefined` where it is not recorded. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** `undefined`: it is served, or that is not known. Unix milliseconds. */
  readonly untilMs: number | undefined;
  /** `undefined`: who uses it is not known. */
  readonly counts: RolloutCounts | undefined;
  /** From the apply to Ready, as far as a controller saw it; `undefined`: that is not known. */
  readonly ready: ReadyQuantiles | undefined;
}

/** Counts the clusters of a module: for each channel the version that it serves, or `version` alone. */
export function landscapeRollout(
  input: StatusInput,
  { module, version }: { readonly module: string; readonly version: string | undefined },
): LandscapeRollout {
  const { users, times, nowMs } = input;
  const records = recordsOf(input, module);
  const known = users.kind === "known" ? (users.modules.get(module) ?? []) : undefined;
  const entries = landscapeStatus(input).entries.filter((entry) => entry.module === module);
  const chosen = entries.filter((entry) => entry.version !== undefined && entry.version === (version ?? entry.version));
  const count: CountRollout = (question) => known && countRollout(known, { ...question, nowMs });
  const served = chosen.map((entry) => {
    const key = entryKey(entry);
    return servedRollout(entry, { record: records.get(key), times: times.get(key) }, count);
  });
  const isMandatory = entries.some(({ mandatory }) => mandatory);
  return {
    landscape: input.landscape.name,
    versions:
      version === undefined || served.length > 0 ? served : [formerRollout(version, isMandatory, records, count)],
    kymas: users.kind === "known" ? users.kymas : undefined,
    unknown: users.kind === "known" ? undefined : users.because,
  };
}

type CountRollout = (question: Omit<RolloutQuestion, "nowMs">) => RolloutCounts | undefined;

function recordsOf({ prepared: { stored } }: StatusInput, module: string): ReadonlyMap<string, EntryRecord> {
  return new Map([...entriesIn(stored.records)].filter(([key]) => placeOfKey(key).module === module));
}

function servedRollout(
  { channel, mandatory, version = "", sinceMs }: EntryStatus,
  { record, times }: { readonly record: EntryRecord | undefined; readonly times: EntryTimes | undefined },
  count: CountRollout,
): VersionRollout {
  // What is live but was not recorded has replaced something that nobody knows.
  const replaced = sinceMs === undefined ? undefined : record?.previous.find((past) => past.version !== version);
  return {
    ...{ channel, mandatory, version, sinceMs, untilMs: undefined },
    counts: count({ channel, mandatory, version, appliedMs: sinceMs }),
    ready: readyOf(version, sinceMs, times),
    failedBefore: sinceMs === undefined ? undefined : record?.current?.baseline,
    replaced: replaced && {
      ...timesOf(replaced),
      ready: readyOf(replaced.version, replaced.fromMs, times),
      counts: count({ channel, mandatory, version: replaced.version, appliedMs: replaced.fromMs }),
    },
  };
}

/** A version that no channel serves: it was served last at the time that the records say. */
function formerRollout(
  version: string,
  mandatory: boolean,
  records: ReadonlyMap<string, EntryRecord>,
  count: CountRollout,
): VersionRollout {
  const past = [...records.values()]
    .flatMap(({ previous }) => previous.filter((one) => one.version === version))
    .toSorted((a, b) => b.untilMs - a.untilMs)[0];
  const times = past === undefined ? { version, sinceMs: undefined, untilMs: undefined } : timesOf(past);
  const counts = count({ channel: undefined, mandatory, version, appliedMs: past?.fromMs });
  const unknown = { ready: undefined, failedBefore: undefined, replaced: undefined };
  return { ...times, channel: undefined, mandatory, counts, ...unknown };
}

function readyOf(
  version: string,
  sinceMs: number | undefined,
  times: EntryTimes | undefined,
): ReadyQuantiles | undefined {
  const isIt = (one: ReadyTimes | undefined): boolean => one?.version === version && one.appliedMs === sinceMs;
  const known = [times?.current, times?.replaced].find(isIt);
  return known && readyQuantiles(known);
}

function timesOf({ version, fromMs, untilMs }: PastVersion): Omit<CountedVersion, "counts" | "ready"> {
  return { version, sinceMs: fromMs, untilMs };
}
