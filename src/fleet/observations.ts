import { fieldAt, isRecord, listAt, textAt } from "../document/fields.ts";
import { parseJson } from "../document/json.ts";
import { exposureKey, type ExposureSum, type ExposureSums } from "./exposure.ts";
import type { EntryTimes, ReadyTimes } from "./readyTimes.ts";

/** The observations of a landscape that outlive the process. */
export interface Observations {
  readonly exposure: ExposureSums;
  /** By the key of an entry. */
  readonly times: ReadonlyMap<string, EntryTimes>;
}

/** No observations so far. */
export const NO_OBSERVATIONS: Observations = { exposure: new Map(), times: new Map() };

/** Observations as the data of a ConfigMap. Instants are in ISO 8601, so that people can read them. */
export function printObservations({ exposure, times }: Observations): Readonly<Record<"exposure" | "ready", string>> {
  const sums = [...exposure.values()].map(({ sinceMs, observedMs, ...sum }) => ({
    ...{ ...sum, since: new Date(sinceMs).toISOString(), observed: new Date(observedMs).toISOString() },
  }));
  const entries = [...times].map(([key, { current, replaced }]) => [
    key,
    { ...printTimes(current), ...(replaced !== undefined && { replaced: printTimes(replaced) }) },
  ]);
  return { exposure: JSON.stringify(sums), ready: JSON.stringify(Object.fromEntries(entries)) };
}

function printTimes({ version, appliedMs, counts }: ReadyTimes): object {
  return { version, applied: new Date(appliedMs).toISOString(), counts };
}

/** Reads the output of `printObservations`. Returns `undefined` for anything else: a partial result cannot be trusted. */
export function parseObservations(data: unknown): Observations | undefined {
  const [sums, ready] = ["exposure", "ready"].map((key) => parseJson(textAt(data, [key]) ?? ""));
  if (!Array.isArray(sums) || !isRecord(ready)) return undefined;
  const exposure = sums.map(readSum);
  const times = Object.entries(ready).map(([key, value]) => [key, readEntry(value)] as const);
  const known = exposure.filter((sum) => sum !== undefined);
  const knownTimes = times.flatMap(([key, one]) => (one === undefined ? [] : [[key, one] as const]));
  if (known.length < exposure.length || knownTimes.length < times.length) return undefined;
  return { exposure: new Map(known.map((sum) => [exposureKey(sum), sum])), times: new Map(knownTimes) };
}

function readSum(value: unknown): ExposureSum | undefined {
  const [module, version] = [textAt(value, ["module"]), textAt(value, ["version"])];
  const [specHash, uid] = [textAt(value, ["specHash"]), textAt(value, ["uid"])];
  const counts = COUNTS.map((name) => fieldAt(value, [name])).filter(isCount);
  const [generation, clusters, healthy, healthyMs] = counts;
  const [sinceMs, observedMs] = [instantAt(value, "since"), instantAt(value, "observed")];
  const isOfContent = module !== undefined && version !== undefined && specHash !== undefined && uid !== undefined;
  const isCounted =
    generation !== undefined && clusters !== undefined && healthy !== undefined && healthyMs !== undefined;
  if (!isOfContent || !isCounted || Number.isNaN(sinceMs + observedMs)) return undefined;
  return { module, version, specHash, uid, generation, clusters, healthy, healthyMs, sinceMs, observedMs };
}

const COUNTS = ["generation", "clusters", "healthy", "healthyMs"];

function readEntry(value: unknown): EntryTimes | undefined {
  const current = readTimes(value);
  const said = isRecord(value) ? value["replaced"] : undefined;
  const replaced = said === undefined ? undefined : readTimes(said);
  const isWhole = current !== undefined && (said === undefined || replaced !== undefined);
  return isWhole ? { current, replaced } : undefined;
}

function readTimes(value: unknown): ReadyTimes | undefined {
  const version = textAt(value, ["version"]);
  const appliedMs = instantAt(value, "applied");
  const counts = listAt(value, ["counts"]);
  const isWhole = version !== undefined && !Number.isNaN(appliedMs) && counts.every(isCount);
  return isWhole ? { version, appliedMs, counts } : undefined;
}

function instantAt(value: unknown, name: string): number {
  return Date.parse(textAt(value, [name]) ?? "");
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
