import type { Gathered } from "../gather.ts";
import { branchOf } from "../draft.ts";
import { statusOf, type Status } from "../status.ts";
import { subjectIn } from "../verdict/subject.ts";
import { blockedSince } from "./blockedSince.ts";
import type { Memory } from "./memory.ts";

/** How one module stands in one channel, and what the dashboard knows beside it. */
export interface Row {
  readonly status: Status;
  /** `undefined` where it is not blocked. */
  readonly blocked: Blocked | undefined;
  /** The commit as which this very run merged its promotion. */
  readonly mergedAs: string | undefined;
}

/** Since when something is blocked. Unix milliseconds. */
export interface Blocked {
  readonly sinceMs: number;
  /** Whether that is only when it was seen first: nothing that was merged dates it. */
  readonly isSeen: boolean;
}

/**
 * Every module in every channel.
 *
 * Takes:  `mergedAs`, the commits of this run's merges by branch.
 */
export function rowsOf(
  gathered: Gathered,
  mergedAs: ReadonlyMap<string, string>,
  memory: Pick<Memory, "seen">,
): readonly Row[] {
  return statusOf(gathered).map((status) => ({
    status,
    blocked: blockedOf(status, gathered, memory),
    mergedAs: mergedAs.get(branchOf(status)),
  }));
}

function blockedOf(status: Status, gathered: Gathered, { seen }: Pick<Memory, "seen">): Blocked | undefined {
  const subject = subjectIn(gathered.catalogue, status.module, status.channel);
  if (subject === undefined || status.verdict?.kind !== "blocked") return undefined;
  const sinceMs = blockedSince(subject, gathered.factsOf(subject));
  if (sinceMs !== undefined) return { sinceMs, isSeen: false };
  return { sinceMs: seen.get(placeName(status)) ?? gathered.nowMs, isSeen: true };
}

/** What a later run has to know of blocks that no history dates. */
export function seenIn(rows: readonly Row[]): Memory["seen"] {
  return new Map(
    rows.flatMap(({ status, blocked }): [string, number][] =>
      blocked?.isSeen === true ? [[placeName(status), blocked.sinceMs]] : [],
    ),
  );
}

/** How people name a module in a channel. */
export function placeName({ channel, module }: Pick<Status, "channel" | "module">): string {
  return `${channel}/${module}`;
}
