import type { WantedVersion } from "../fleet/condition.ts";
import { countRollout, type RolloutCounts } from "../fleet/rollout.ts";
import { readyQuantiles, type EntryTimes, type ReadyQuantiles } from "../fleet/readyTimes.ts";
import { wantedVersion } from "./entryClusters.ts";
import { landscapeStatus, type EntryStatus, type StatusInput } from "./landscapeStatus.ts";
import { entriesIn, entryKey, failedBefore, placeOfKey, type EntryRecord, type PastVersion } from "./plan/records.ts";
import { countedUsers } from "./plan/waves.ts";

/** The roll-out of the versions of a module on a landscape. */
export interface LandscapeRollout {
  readonly landscape: string;
  /** In the order of channels; empty: the module is not served. */
  readonly versions: readonly VersionRollout[];
  /** The number of Kymas on the control plane; `undefined`: unknown. */
  readonly kymas: number | undefined;
  /** Why the users of the module are unknown; `undefined`: they are known. */
  readonly unknown: string | undefined;
}

/** A version, with the number of clusters of its channel that have it. */
export interface VersionRollout extends CountedVersion {
  /** `undefined`: no channel serves it. */
  readonly channel: string | undefined;
  readonly mandatory: boolean;
  /** The share of clusters that failed before it was applied; 0 to 1. `undefined`: unknown. */
  readonly failedBefore: number | undefined;
  /** The version that the channel served before, counted on the same clusters; `undefined`: unknown. */
  readonly replaced: CountedVersion | undefined;
}

/** A served version, and its clusters. */
export interface CountedVersion {
  readonly version: string;
  /** `undefined`: not recorded. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** `undefined`: still served, or unknown. Unix milliseconds. */
  readonly untilMs: number | undefined;
  /** `undefined`: the users are unknown. */
  readonly counts: RolloutCounts | undefined;
  /** The times from the apply to Ready that a controller observed; `undefined`: unknown. */
  readonly ready: ReadyQuantiles | undefined;
}

/** Counts the clusters of a module for the version that each channel serves, or only for `version`. */
export function landscapeRollout(
  input: StatusInput,
  { module, version }: { readonly module: string; readonly version: string | undefined },
): LandscapeRollout {
  const { prepared, users, times, nowMs, catalogue } = input;
  const records = new Map([...entriesIn(prepared.stored.records)].filter(([key]) => placeOfKey(key).module === module));
  const entries = landscapeStatus(input).entries.filter((entry) => entry.module === module);
  const chosen = entries.filter((entry) => entry.version !== undefined && entry.version === (version ?? entry.version));
  const count: CountRollout = (wanted) =>
    users.kind === "unknown"
      ? undefined
      : countRollout(countedUsers({ ...wanted, module }, users, catalogue), wanted, nowMs);
  const served = chosen.map((entry) => {
    const key = entryKey(entry);
    return servedRollout(entry, { record: records.get(key), times: times.get(key) }, count, input);
  });
  const isMandatory = entries.some(({ mandatory }) => mandatory);
  return {
    landscape: input.landscape.name,
    versions:
      version === undefined || served.length > 0
        ? served
        : [formerRollout(version, isMandatory, records, { count, input })],
    kymas: users.kind === "known" ? users.kymas.size : undefined,
    unknown: users.kind === "known" ? undefined : users.because,
  };
}

type CountRollout = (wanted: WantedVersion) => RolloutCounts | undefined;

function servedRollout(
  { channel, mandatory, version = "", sinceMs, counted }: EntryStatus,
  { record, times }: { readonly record: EntryRecord | undefined; readonly times: EntryTimes | undefined },
  count: CountRollout,
  input: StatusInput,
): VersionRollout {
  // A live version without a record replaced an unknown version.
  const replaced = sinceMs === undefined ? undefined : record?.previous.find((past) => past.version !== version);
  return {
    ...{ channel, mandatory, version, sinceMs, untilMs: undefined },
    counts: counted && count(counted),
    ready: entryReadyQuantiles(version, sinceMs, times),
    failedBefore: sinceMs === undefined ? undefined : record && failedBefore(record),
    replaced: replaced && {
      ...countedTimes(replaced),
      ready: entryReadyQuantiles(replaced.version, replaced.fromMs, times),
      counts: count(wantedVersion({ channel, mandatory, version: replaced.version }, servedFrom(replaced), input)),
    },
  };
}

/** A version that no channel serves any more, with the last period in the records. */
function formerRollout(
  version: string,
  mandatory: boolean,
  records: ReadonlyMap<string, EntryRecord>,
  { count, input }: { readonly count: CountRollout; readonly input: StatusInput },
): VersionRollout {
  const past = [...records.values()]
    .flatMap(({ previous }) => previous.filter((one) => one.version === version))
    .toSorted((a, b) => b.untilMs - a.untilMs)[0];
  const times = past === undefined ? { version, sinceMs: undefined, untilMs: undefined } : countedTimes(past);
  const wanted = wantedVersion({ channel: undefined, mandatory, version }, past && servedFrom(past), input);
  const unknown = { ready: undefined, failedBefore: undefined, replaced: undefined };
  return { ...times, channel: undefined, mandatory, counts: count(wanted), ...unknown };
}

function entryReadyQuantiles(
  version: string,
  sinceMs: number | undefined,
  times: EntryTimes | undefined,
): ReadyQuantiles | undefined {
  const known = [times?.current, times?.replaced].find((one) => one?.version === version && one.appliedMs === sinceMs);
  return known && readyQuantiles(known);
}

function servedFrom({ fromMs: sinceMs }: PastVersion): { readonly sinceMs: number } {
  return { sinceMs };
}

function countedTimes({ version, fromMs, untilMs }: PastVersion): Omit<CountedVersion, "counts" | "ready"> {
  return { version, sinceMs: fromMs, untilMs };
}
