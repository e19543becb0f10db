import { isRecord } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import { oncePer } from "../../document/once.ts";
import type { JsonObject } from "../../kubernetes/object.ts";
import { type EntryRecord, type PastVersion, type ServedVersion, type WaveHalt, type WaveRecord } from "./records.ts";
import { isMostlyInOrder } from "./soak.ts";

type RecordFields = Readonly<Record<string, unknown>>;

/** Prints records as JSON, with times in ISO 8601 for people. */
export function printRecords(entries: Iterable<readonly [string, EntryRecord]>): string {
  return `{${[...entries].map(([key, record]) => `${JSON.stringify(key)}:${printRecord(record)}`).join(",")}}`;
}

/** Cached per record: a change of one record writes thousands again. */
const printRecord = oncePer(({ current, next, previous, terms }: EntryRecord): string =>
  JSON.stringify({
    ...(current && { current: printServed(current) }),
    ...(next && { next: printServed(next) }),
    ...(previous.length > 0 && {
      previous: previous.map(({ version, specHash, commit, fromMs, untilMs, soakedMs }) => ({
        ...{ version, specHash, commit, from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString() },
        ...(soakedMs !== untilMs - fromMs && { soakedMs }),
      })),
    }),
    ...(terms && { terms }),
  }),
);

function printServed({
  version,
  specHash,
  commit,
  sinceMs,
  accepted,
  now,
  baseline,
  restoredMs,
  wave,
}: ServedVersion): JsonObject {
  return {
    version,
    specHash,
    ...(commit !== undefined && { commit }),
    servedSince: new Date(sinceMs).toISOString(),
    ...(accepted.length > 0 && { accepted }),
    ...(now !== undefined && { now }),
    ...(baseline !== undefined && { baseline }),
    ...(restoredMs !== undefined && { restored: new Date(restoredMs).toISOString() }),
    ...(wave !== undefined && { wave: printWave(wave) }),
  };
}

function printWave({ failing, inOrder, pending, countedMs, baseline, soakedMs, ...wave }: WaveRecord): JsonObject {
  const { isInOrder, isResumed, halt } = wave;
  return {
    ...{ failing, inOrder, pending, baseline, counted: new Date(countedMs).toISOString(), soakedMs },
    ...(!isInOrder && { stands: true }),
    ...(isResumed && { resumed: true }),
    ...(halt && { halted: { since: new Date(halt.sinceMs).toISOString(), reason: halt.reason } }),
  };
}

/** Parses the output of `printRecords`; `undefined` for anything else, because incomplete records cannot be trusted. */
export function parseRecords(text: string): ReadonlyMap<string, EntryRecord> | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).map(([key, record]) => [key, readRecord(record)] as const);
  const known = entries.flatMap(([key, record]) => (record === undefined ? [] : [[key, record] as const]));
  return known.length === entries.length ? new Map(known) : undefined;
}

function readRecord(value: unknown): EntryRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { current, next, previous = [], terms } = value;
  const [now, then] = [readServed(current), readServed(next)];
  const past = Array.isArray(previous) ? previous.map(readPast) : [undefined];
  if (now === "broken" || then === "broken" || (now ?? then) === undefined || past.includes(undefined))
    return undefined;
  return {
    current: now,
    next: then,
    previous: past.filter((one) => one !== undefined),
    terms: isRecord(terms) ? terms : undefined,
  };
}

function readServed(value: unknown): ServedVersion | undefined | "broken" {
  if (value === undefined) return undefined;
  if (!isRecord(value)) return "broken";
  const { version, specHash, servedSince } = value;
  const sinceMs = Date.parse(String(servedSince));
  const wave = value["wave"] === undefined ? undefined : readWave(value["wave"], sinceMs);
  if (!areTexts(version, specHash) || Number.isNaN(sinceMs) || wave === "broken") return "broken";
  return { version, specHash, sinceMs, ...readCircumstances(value), ...(wave && { wave }) } as ServedVersion;
}

/** Reads secondary fields. Invalid values are dropped, because the version is served anyway. */
function readCircumstances({
  accepted,
  now,
  baseline,
  commit,
  restored,
}: RecordFields): Omit<ServedVersion, "version" | "specHash" | "sinceMs"> {
  const restoredMs = Date.parse(String(restored));
  return {
    accepted: Array.isArray(accepted) ? accepted.map(String) : [],
    now: typeof now === "string" ? now : undefined,
    ...(typeof baseline === "number" && { baseline }),
    ...(typeof commit === "string" && { commit }),
    ...(Number.isNaN(restoredMs) ? {} : { restoredMs }),
  };
}

/** Reads a wave. An incomplete one is broken, because it might have lost its halt. */
function readWave(value: unknown, sinceMs: number): WaveRecord | "broken" {
  if (!isRecord(value)) return "broken";
  const { failing, inOrder, pending, baseline, stoodMs = 0, soakedMs, stands, resumed } = value;
  const countedMs = Date.parse(String(value["counted"]));
  const halt = value["halted"] === undefined ? undefined : readHalt(value["halted"]);
  const numbers = [failing, inOrder, pending, baseline, stoodMs, soakedMs ?? 0, countedMs];
  if (halt === "broken" || !numbers.every((one) => Number.isFinite(one))) return "broken";
  const counts = { failing, inOrder, pending, baseline, countedMs, halt } as WaveRecord;
  return soakedMs === undefined
    ? { ...counts, ...soakOfAge(counts, sinceMs, Number(stoodMs)) }
    : { ...counts, soakedMs: Number(soakedMs), isInOrder: stands !== true, isResumed: resumed === true };
}

/** Earlier versions of the program recorded how long the soak stood halted, and judged the clusters at its end. */
function soakOfAge(
  counts: WaveRecord,
  sinceMs: number,
  stoodMs: number,
): Pick<WaveRecord, "soakedMs" | "isInOrder" | "isResumed"> {
  const { halt, countedMs } = counts;
  const isInOrder = halt === undefined && isMostlyInOrder(counts);
  const isSeen = isInOrder || halt !== undefined;
  const soakedMs = isSeen ? Math.max(0, (halt?.sinceMs ?? countedMs) - sinceMs - stoodMs) : 0;
  return { soakedMs, isInOrder, isResumed: stoodMs > 0 };
}

function readHalt(value: unknown): WaveHalt | "broken" {
  const { since, reason } = isRecord(value) ? value : {};
  const sinceMs = Date.parse(String(since));
  return Number.isNaN(sinceMs) || typeof reason !== "string" ? "broken" : { sinceMs, reason };
}

function readPast(value: unknown): PastVersion | undefined {
  if (!isRecord(value)) return undefined;
  const { version, specHash, from, until, soakedMs, commit } = value;
  const [fromMs, untilMs] = [Date.parse(String(from)), Date.parse(String(until))];
  if (!areTexts(version, specHash) || Number.isNaN(fromMs + untilMs)) return undefined;
  const soaked = typeof soakedMs === "number" ? soakedMs : untilMs - fromMs;
  const past = { version, specHash, fromMs, untilMs, soakedMs: soaked };
  return { ...past, ...(typeof commit === "string" && { commit }) } as PastVersion;
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}
