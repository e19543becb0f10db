import { isRecord } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import type { PlanOptions } from "./input.ts";

/** The options that a person allows for one sync, which the controller carries out as the only writer. */
export type AllowedOnce = Pick<
  PlanOptions,
  "adopt" | "prune" | "maxPrune" | "now" | "takeOverSet" | "switchGeneration" | "rewind"
>;

/** A person's request to the controller for a sync. */
export interface SyncRequest {
  /** Unique. */
  readonly id: string;
  readonly by: string;
  readonly atMs: number;
  /** The commit to serve. */
  readonly commit: string;
  readonly allowed: AllowedOnce;
}

/** The result of a request. */
export interface RequestResult {
  readonly atMs: number;
  /** An exit code of `sync`. */
  readonly code: number;
  /** The output for people. */
  readonly lines: readonly string[];
}

/** The age at which a request expires. Milliseconds. */
export const REQUEST_MS = 600_000;

/** The requests without a result that have not expired, oldest first. */
export function pendingRequests(
  requests: readonly SyncRequest[],
  results: ReadonlyMap<string, RequestResult>,
  nowMs: number,
): readonly SyncRequest[] {
  return requests
    .filter(({ id, atMs }) => !results.has(id) && Math.abs(nowMs - atMs) < REQUEST_MS)
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** Prints requests as JSON. */
export function printRequests(requests: readonly SyncRequest[]): string {
  return JSON.stringify(requests.map(({ atMs, ...request }) => ({ ...request, at: new Date(atMs).toISOString() })));
}

/** Parses the output of `printRequests`; `undefined` for anything else. */
export function parseRequests(text: string): readonly SyncRequest[] | undefined {
  const value = parseJson(text);
  if (!Array.isArray(value)) return undefined;
  const requests = value.flatMap((one): readonly SyncRequest[] => {
    if (!isRecord(one) || !isRecord(one["allowed"])) return [];
    const { id, by, commit, at } = one;
    const atMs = Date.parse(String(at));
    const isWhole = [id, by, commit].every((text) => typeof text === "string") && !Number.isNaN(atMs);
    return isWhole ? [{ id, by, commit, atMs, allowed: readAllowed(one["allowed"]) } as SyncRequest] : [];
  });
  return requests.length === value.length ? requests : undefined;
}

/** Reads the allowed options; anything that is missing or invalid is not allowed. */
function readAllowed(said: Readonly<Record<string, unknown>>): AllowedOnce {
  const { maxPrune, now } = said;
  return {
    adopt: said["adopt"] === true,
    prune: said["prune"] === true,
    maxPrune: typeof maxPrune === "number" ? maxPrune : undefined,
    now: typeof now === "string" && now !== "" ? now : undefined,
    takeOverSet: said["takeOverSet"] === true,
    switchGeneration: said["switchGeneration"] === true,
    rewind: said["rewind"] === true,
  };
}

/** Prints results as JSON, without those of expired requests. */
export function printResults(results: ReadonlyMap<string, RequestResult>, nowMs: number): string {
  const kept = [...results].filter(([, { atMs }]) => nowMs - atMs < 2 * REQUEST_MS);
  return JSON.stringify(
    Object.fromEntries(kept.map(([id, { atMs, ...rest }]) => [id, { ...rest, at: new Date(atMs).toISOString() }])),
  );
}

/** Parses the output of `printResults`; skips results that cannot be parsed. */
export function parseResults(text: string): ReadonlyMap<string, RequestResult> {
  const value = parseJson(text);
  if (!isRecord(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([id, one]): readonly (readonly [string, RequestResult])[] => {
      const { at, code, lines } = isRecord(one) ? one : {};
      const atMs = Date.parse(String(at));
      const isWhole = typeof code === "number" && Array.isArray(lines) && !Number.isNaN(atMs);
      return isWhole ? [[id, { atMs, code, lines: lines.map(String) }]] : [];
    }),
  );
}
