import type { Clock, Run } from "../../ports.ts";
import { isOutage, type ObjectOutcome } from "../apply.ts";
import { EVERYTHING } from "../plan/controls.ts";
import { entriesOf, type Plan } from "../plan/item.ts";
import type { EntryRecord } from "../plan/records.ts";
import { advanceWaves, isAnyUnderway, type WaveContext } from "../plan/waves.ts";
import type { ControlPlaneLook, Prepared } from "../prepare.ts";
import { writeRecords } from "../recordStore.ts";
import { sync, type SyncResult } from "../sync.ts";
import type { Backoff } from "./backoff.ts";
import type { ServableCommit } from "./revisions.ts";
import type { LandscapeStore } from "./store.ts";

/** The intervals of a controller. Milliseconds. */
export interface ControllerTiming {
  /** Between two full lists, in case a watch missed something. */
  readonly relistMs: number;
  /** Between two passes while something waits for a source without a watch: another landscape, a registry. */
  readonly pollMs: number;
  /** Between two passes if only the fleet changed. */
  readonly fleetMs: number;
  /** Between two observations of the clusters. */
  readonly observeMs: number;
}

/** The timing of a controller in production. */
export const TIMING: ControllerTiming = {
  relistMs: 60 * 60_000,
  pollMs: 15_000,
  fleetMs: 1_000,
  observeMs: 15_000,
};

/** The report of one pass over a landscape. */
export interface PassReport {
  readonly prepared: Prepared;
  readonly result: SyncResult;
  /** The records after the pass. */
  readonly records: ReadonlyMap<string, EntryRecord>;
  readonly tookMs: number;
  /** The time until the next pass if nothing happens. Milliseconds. */
  readonly waitMs: number;
}

/** The context of a pass. */
export interface PassWorld {
  readonly store: LandscapeStore;
  readonly clock: Clock;
  readonly backoff: Backoff;
  readonly timing: ControllerTiming;
  /** Returns the signal that is aborted when another writer may have begun. */
  readonly held: () => AbortSignal;
}

/** The goal of a pass. */
export interface PassGoal {
  readonly revision: ServableCommit;
  /** Plans the revision with the state that `look` reads. */
  readonly prepare: (look: ControlPlaneLook) => Promise<Prepared>;
}

const NOTHING_DONE: SyncResult = { entries: [], outcomes: [], interrupted: false };
const QUIET = { outcome: (): void => undefined, entry: (): void => undefined };

/** Plans a landscape, carries the plan out, and counts its waves. Throws the faults of planning. */
export async function pass({ revision, prepare }: PassGoal, world: PassWorld, run: Run): Promise<PassReport> {
  const { store, clock, backoff, held } = world;
  const startedMs = clock.nowMs();
  const prepared = await prepare(store);
  const modules = prepared.plan.modules.filter(({ module }) => !backoff.isHeld(module, startedMs));
  const due = { ...prepared, plan: { ...prepared.plan, modules } };
  const target = { controlPlane: store.writing, clock, writes: held };
  const isSuperseded = prepared.supersededBy !== undefined;
  const result = isSuperseded ? NOTHING_DONE : await sync(due, target, QUIET, run);
  countFailures(due.plan, result, backoff, clock.nowMs());
  const { records, isUnderway } = await countWaves(revision, prepared, world, run);
  const nowMs = clock.nowMs();
  const waitMs = Math.min(waitOf(prepared.plan, world, nowMs), isUnderway ? world.timing.pollMs / 3 : Infinity);
  return { prepared, result, records, tookMs: nowMs - startedMs, waitMs };
}

/** Schedules a retry for each failed module; or for everything, if the control plane is unreachable. */
function countFailures({ modules, parent }: Plan, { outcomes }: SyncResult, backoff: Backoff, nowMs: number): void {
  const faults = new Map(
    outcomes.flatMap((outcome) => (outcome.result === "failed" ? [[keyOf(outcome), outcome.fault] as const] : [])),
  );
  const outage = outcomes.find(isOutage)?.fault ?? faults.get(keyOf({ item: parent }));
  if (outage === undefined) backoff.succeeded("");
  else backoff.failed("", outage, nowMs);
  for (const { module, items } of modules) {
    const fault = items.map((item) => faults.get(keyOf({ item }))).find((one) => one !== undefined);
    if (fault === undefined) backoff.succeeded(module);
    else backoff.failed(module, fault, nowMs);
  }
}

function keyOf({ item: { object } }: Pick<ObjectOutcome, "item">): string {
  return `${object.kind} ${object.name}`;
}

interface CountedWaves {
  readonly records: ReadonlyMap<string, EntryRecord>;
  readonly isUnderway: boolean;
}

/** Counts the clusters of all entries, and records significant changes. */
async function countWaves(
  { catalogue }: ServableCommit,
  { input, controls }: Prepared,
  { store, clock, held }: PassWorld,
  run: Run,
): Promise<CountedWaves> {
  const { stored } = await store.observe(run);
  if (stored.records.kind === "none") return { records: new Map(), isUnderway: false };
  const { landscape, repository } = input.claim;
  const nowMs = clock.nowMs();
  const context: WaveContext = {
    catalogue,
    landscape,
    users: await store.users(run),
    resumes: controls.resumes,
    nowMs,
  };
  const before = stored.records.entries;
  const records = advanceWaves(before, context);
  // A pause of everything forbids every write.
  const mayWrite = !controls.pauses.has(EVERYTHING);
  const isChanged = mayWrite && [...records].some(([key, record]) => before.get(key) !== record);
  const { namespace } = input.desired.target;
  const where = { controlPlane: store.writing, namespace, owner: { repository, landscape } };
  if (isChanged) await writeRecords(records, stored, where, { ...run, signal: held() });
  return { records, isUnderway: isAnyUnderway(records, context) };
}

/** The time until something is due that no watch reports. */
function waitOf(plan: Plan, { backoff, timing }: PassWorld, nowMs: number): number {
  const isPolled = entriesOf(plan).some(
    (entry) =>
      (entry.kind === "waiting" && entry.untilMs === undefined) ||
      (entry.kind === "refused" && entry.refusal === "artifact-missing"),
  );
  const due = [
    backoff.nextAfter(nowMs) ?? Infinity,
    ...entriesOf(plan).map((entry) => (entry.kind === "waiting" ? (entry.untilMs ?? Infinity) : Infinity)),
  ];
  return Math.max(0, Math.min(isPolled ? timing.pollMs : Infinity, Math.min(...due) - nowMs));
}
