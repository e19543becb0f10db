import { renderPage, type RenderedPage } from "../../src/dashboard/layout.ts";
import type { DashboardState, LandscapeSight } from "../../src/dashboard/state.ts";
import type { FleetInput } from "../../src/dashboard/fleet/clusters.ts";
import type { Users } from "../../src/fleet/users.ts";
import type { Gathered } from "../../src/promote/gather.ts";
import type { EntryClusters } from "../../src/sync/entryClusters.ts";
import type { EntryStatus, LandscapeStatus, StatusInput } from "../../src/sync/landscapeStatus.ts";

/** The data of pages of landscapes, which do not use promotions. */
export function stateOf(landscapes: readonly LandscapeSight[], nowMs: number): DashboardState {
  return {
    ...{ nowMs, revision: "a".repeat(40), repositoryUrl: undefined, gathered: {} as Gathered, statuses: [] },
    ...{
      evidence: [],
      branches: new Map(),
      manifests: new Map(),
      landscapes,
      unreadable: undefined,
      isRehearsal: false,
    },
  };
}

/** Clusters of an entry with these counts; without any, no cluster should have the version. */
export function clustersOf(
  { inOrder = 0, pending = 0, failing = 0 }: Partial<Record<"inOrder" | "pending" | "failing", number>>,
  worst?: EntryClusters["worst"],
): EntryClusters {
  const unsure = { mayFail: 0, mostlySinceMs: undefined };
  const counts = { inOrder, pending, failing: { count: failing, examples: [] }, ...unsure };
  return { asked: inOrder + pending + failing, have: inOrder, worst, counts, isWorse: false };
}

/** An entry of a landscape that is in order. */
export function entryOf(
  entry: Pick<EntryStatus, "channel" | "module" | "version"> & Partial<EntryStatus>,
): EntryStatus {
  const { channel, version, mandatory = false, sinceMs: appliedMs } = entry;
  const wanted = version === undefined ? undefined : { channel, mandatory, version, appliedMs, deadlineMs: 600_000 };
  return {
    ...{ mandatory, sinceMs: undefined, counted: wanted, wanted: undefined, isWantedKnown: true },
    ...{ users: undefined, clusters: undefined, wave: undefined, soaks: [], ...entry },
  };
}

/** The status of a landscape with these fields. */
export function statusOf(landscape: string, more: Partial<LandscapeStatus> = {}): LandscapeStatus {
  return {
    ...{ landscape, serves: undefined, isNewer: false, isWantedKnown: true, lease: undefined, controller: undefined },
    ...{ pauses: new Map(), entries: [], objects: [], notes: [], ...more },
  };
}

/** A landscape that was seen at `nowMs`. */
export function sightOf(name: string, users: Users, status: Partial<LandscapeStatus>, nowMs: number): LandscapeSight {
  const input = { users, nowMs, landscape: { name, namespace: "kcp-system" } } as StatusInput;
  return { name, input, status: statusOf(name, status), seenMs: nowMs, blind: undefined };
}

/** A landscape with a fleet. */
export function fleetSight(name: string, { users, entries, nowMs }: FleetInput): LandscapeSight {
  return sightOf(
    name,
    users,
    { entries: entries.map((entry) => entryOf({ ...entry, version: entry.counted?.version })) },
    nowMs,
  );
}

/** The page at an address. */
export function pageAt(address: string, state: DashboardState): RenderedPage {
  const { pathname: path, searchParams: query } = new URL(address, "http://localhost");
  return renderPage(state, { path, query }, { theme: undefined, styles: [], scripts: [] });
}

/** Its text. */
export function textAt(address: string, state: DashboardState): string {
  return pageAt(address, state).text;
}

/** The text of a page, without markup. */
export function wordsOf(text: string): string {
  return text
    .replace(/<(style|symbol|title)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/[\s\u00a0\u202f]+/g, " ");
}

/** The sentences of a page, which end with their element at the latest. */
export function sentencesOf(text: string): readonly string[] {
  const elements = text.split(/<\/(?:p|li|h\d|div|t[dhr]|d[dt]|button)>/);
  return elements.flatMap((element) =>
    wordsOf(element)
      .trim()
      .split(/(?<=\.) (?=[A-Z])/),
  );
}
