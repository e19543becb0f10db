import { isRecord } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import type { PlanOptions } from "./input.ts";

/** What a person allows one sync, which the controller carries out since it is the only writer. */
export type AllowedOnce = Pick<
  PlanOptions,
  "adopt" | "prune" | "maxPrune" | "now" | "takeOverSet" | "switchGeneration" | "rewind"
>;

/** A sync that a person asks the controller for. */
export interface SyncRequest {
  /** Unique. */
  readonly id: string;
  readonly by: string;
  readonly atMs: number;
  /** The commit that is to be served. */
  readonly commit: string;
  readonly allowed: AllowedOnce;
}

/** What became of a request. */
export interface RequestResult {
  readonly atMs: number;
  /** As an exit code of `sync`. */
  readonly code: number;
  /** What people read. */
  readonly lines: readonly string[];
}

/** A request that is older was forgotten by whoever made it. Milliseconds. */
export const REQUEST_MS = 600_000;

/** The requests that nothing became of yet, and that their authors still wait for; the oldest first. */
export function pendingRequests(
  requests: readonly SyncRequest[],
  results: ReadonlyMap<string, RequestResult>,
  nowMs: number,
): readonly SyncRequest[] {
  return requests
    .filter(({ id, atMs }) => !results.has(id) && Math.abs(nowMs - atMs) < REQUEST_MS)
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** Requests as JSON. */
export function printRequests(requests: readonly SyncRequest[]): string {
  return JSON.stringify(requests.map(({ atMs, ...request }) => ({ ...request, at: new Date(atMs).toISOString() })));
}

/** Reads what `printRequests` printed; `undefined` for anything else. */
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

/** Only what is said is allowed. */
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

/** Results as JSON; those of requests that nobody waits for any more are left out. */
export function printResults(results: ReadonlyMap<string, RequestResult>, nowMs: number): string {
  const kept = [...results].filter(([, { atMs }]) => nowMs - atMs < 2 * REQUEST_MS);
  return JSON.stringify(
    Object.fromEntries(kept.map(([id, { atMs, ...rest }]) => [id, { ...rest, at: new Date(atMs).toISOString() }])),
  );
}

/** Reads what `printResults` printed; what cannot be read is no result. */
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
