import type { Fault, Run, SteadyClock } from "../../ports.ts";
import { isOutage, type ObjectOutcome } from "../apply.ts";
import { EVERYTHING as PAUSED_ALL } from "../plan/controls.ts";
import { planEntries, type Plan } from "../plan/item.ts";
import type { EntryRecord } from "../plan/records.ts";
import { absentEntries } from "../plan/served.ts";
import { isOfAnother } from "../plan/set.ts";
import { advanceWaves, isAnyUnderway, type WaveContext } from "../plan/waves.ts";
import type { ControlPlaneLook, Prepared } from "../prepare.ts";
import { writeRecords } from "../recordStore.ts";
import { sync, type SyncResult } from "../sync.ts";
import { EVERYTHING, type Backoff } from "./backoff.ts";
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
  /** What fails at the moment, by module or `EVERYTHING`; also what was not tried again in this pass. */
  readonly failures: ReadonlyMap<string, Fault>;
  readonly tookMs: number;
  /** The time until the next pass if nothing happens. Milliseconds. */
  readonly waitMs: number;
}

/** The context of a pass. */
interface PassWorld {
  readonly store: LandscapeStore;
  readonly clock: SteadyClock;
  readonly backoff: Backoff;
  readonly timing: ControllerTiming;
  /** Returns the signal that is aborted when another writer may have begun. */
  readonly held: () => AbortSignal;
}

/** The goal of a pass. */
interface PassGoal {
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
  const names = prepared.plan.modules.map(({ module }) => module);
  const deferred = new Set(names.filter((module) => backoff.waitOf(module, clock.elapsedMs()) > 0));
  const modules = prepared.plan.modules.filter(({ module }) => !deferred.has(module));
  const due = { ...prepared, plan: { ...prepared.plan, modules, deferred } };
  const target = { controlPlane: store.writing, clock, writes: held };
  const isSuperseded = prepared.supersededBy !== undefined;
  const result = isSuperseded ? NOTHING_DONE : await sync(due, target, QUIET, run);
  if (!isSuperseded) countFailures(due.plan, result, world);
  const { records, isUnderway } = await countWaves(revision, prepared, world, run);
  const nowMs = clock.nowMs();
  const waitMs = Math.min(planWait(prepared.plan, world, nowMs), isUnderway ? world.timing.pollMs / 3 : Infinity);
  return { prepared, result, records, failures: backoff.faults, tookMs: nowMs - startedMs, waitMs };
}

/**
 * Schedules a retry for each failed module; or for everything, if the control plane is unreachable, or what failed
 * belongs to no module: the parent, or the records.
 */
function countFailures(
  { modules, deferred }: Plan,
  { outcomes }: SyncResult,
  { backoff, clock, store }: PassWorld,
): void {
  const nowMs = clock.elapsedMs();
  const faults = new Map(
    outcomes.flatMap((outcome) => (outcome.result === "failed" ? [[outcomeKey(outcome), outcome.fault] as const] : [])),
  );
  const count = (key: string, fault: Fault | undefined): void => {
    if (fault === undefined) backoff.succeeded(key);
    else backoff.failed(key, fault, nowMs);
  };
  for (const { module, items } of modules) {
    const keys = items.map((item) => outcomeKey({ item }));
    count(
      module,
      keys.map((key) => faults.get(key)).find((one) => one !== undefined),
    );
    for (const key of keys) faults.delete(key);
  }
  const [common] = faults.values();
  // Another process wrote the records, or a part of them that is not watched.
  if (common?.code === "CLUSTER_CONFLICT") store.forgetRecords();
  count(EVERYTHING, outcomes.find(isOutage)?.fault ?? common);
  backoff.keepOnly(new Set([...modules.map(({ module }) => module), ...(deferred ?? [])]));
}

function outcomeKey({ item: { object } }: Pick<ObjectOutcome, "item">): string {
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
  const { live, stored } = await store.observe(run);
  // Written by us, the records of another owner would become ours.
  if (stored.records.kind === "none" || isOfAnother(input)) return { records: new Map(), isUnderway: false };
  const { landscape, repository } = input.claim;
  const before = stored.records.entries;
  const nowMs = clock.nowMs();
  const context: WaveContext = {
    catalogue,
    landscape,
    users: await store.users(run),
    resumes: controls.resumes,
    absent: absentEntries(before, live, input.desired.target.generation),
    nowMs,
  };
  const records = advanceWaves(before, context);
  // A pause of everything forbids every write.
  const mayWrite = !controls.pauses.has(PAUSED_ALL);
  const isChanged = mayWrite && [...records].some(([key, record]) => before.get(key) !== record);
  const { namespace } = input.desired.target;
  const where = { controlPlane: store.writing, namespace, owner: { repository, landscape } };
  if (isChanged) await writeRecords(records, stored, where, { ...run, signal: held() });
  return { records, isUnderway: isAnyUnderway(records, context) };
}

/** The time until something is due that no watch reports. */
function planWait(plan: Plan, { backoff, clock, timing }: PassWorld, nowMs: number): number {
  const isPolled = planEntries(plan).some(
    (entry) =>
      (entry.kind === "waiting" && entry.untilMs === undefined) ||
      (entry.kind === "refused" && entry.refusal === "artifact-missing"),
  );
  const due = planEntries(plan).map((entry) => (entry.kind === "waiting" ? (entry.untilMs ?? Infinity) : Infinity));
  const retryMs = backoff.nextIn(clock.elapsedMs());
  return Math.max(0, Math.min(isPolled ? timing.pollMs : Infinity, retryMs, Math.min(...due) - nowMs));
}
