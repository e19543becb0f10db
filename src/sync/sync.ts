import { RESOURCES } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type FaultCode, type Run } from "../ports.ts";
import { applyItem, type Outcome } from "./apply.ts";
import { listAll, readReferences } from "./gather.ts";
import { isAct, type PlanInput, type PlanItem } from "./planItem.ts";
import type { Prepared } from "./prepare.ts";
import type { References } from "./references.ts";
import { namedTemplates } from "../kubernetes/releaseMeta.ts";

/** What a sync did. */
export interface SyncResult {
  readonly outcomes: readonly Outcome[];
  /** Whether it was stopped before its end; the next run completes it. */
  readonly interrupted: boolean;
}

/** Whether everything is as wanted, as far as it could be done: nothing failed, was refused or contested. */
export function isInOrder({ outcomes }: SyncResult): boolean {
  return outcomes.every(({ item, result }) => (result === "done" || result === "left") && item.kind !== "refused");
}

/** Writes at once. Ten take a tenth longer; more than twenty do not make the API server faster. */
const CONCURRENCY = 20;

/**
 * Carries out a plan: the set's parent, then templates, then the release metas that name them, then removals the other
 * way round. May be killed at any moment: no release meta ever names an absent template, and the next run completes it.
 *
 * An abort stops between writes: what was sent is waited for, so that it is known what was done.
 */
export async function sync(
  { plan, input }: Prepared,
  controlPlane: ControlPlane,
  report: (outcome: Outcome) => void,
  run: Run,
): Promise<SyncResult> {
  const outcomes: Outcome[] = [];
  const note = (outcome: Outcome): void => {
    outcomes.push(outcome);
    report(outcome);
  };
  let lost: Fault | undefined;
  const carryOut = async (item: PlanItem): Promise<void> => {
    // Each write waits for the API server for a while; a thousand that wait in turn would take hours.
    if (lost !== undefined) {
      note(skipped(item, `the control plane was lost: ${lost.message}`));
      return;
    }
    // Writes are not aborted half-way: each has a deadline of its own.
    const outcome = await applyItem(item, input, controlPlane, { ...run, signal: NEVER });
    if (outcome.result === "failed" && LOST.has(outcome.fault.code)) lost = outcome.fault;
    note(outcome);
  };
  const [parents, templates, metas, removals] = phases(plan.items);
  await inParallel(parents, carryOut, run.signal);
  if (unsettled(outcomes).size > 0)
    for (const item of [...templates, ...metas, ...removals]) note(skipped(item, "the set's ConfigMap is not there"));
  else {
    await inParallel(templates, carryOut, run.signal);
    const absent = unsettled(outcomes);
    await inParallel(metas, (item) => carryOutMeta(item, absent, carryOut, note), run.signal);
    await removeInOrder(removals, { input, controlPlane, carryOut, note }, run);
  }
  return { outcomes, interrupted: run.signal.aborted && outcomes.length < plan.items.length };
}

const NEVER = new AbortController().signal;

/** The faults after which no other write would fare better: each was repeated for as long as a restart takes. */
const LOST: ReadonlySet<FaultCode> = new Set<FaultCode>([
  "CLUSTER_UNREACHABLE",
  "CLUSTER_TIMEOUT",
  "CLUSTER_BUSY",
  "CLUSTER_UNAUTHORIZED",
]);

/** Parent, templates, release metas, removals. */
function phases(items: readonly PlanItem[]): readonly [PlanItem[], PlanItem[], PlanItem[], PlanItem[]] {
  const groups: [PlanItem[], PlanItem[], PlanItem[], PlanItem[]] = [[], [], [], []];
  for (const item of items) {
    if (item.kind === "prune" && item.carriedOut) groups[3].push(item);
    else if (item.object.kind === RESOURCES.configMap.kind) groups[0].push(item);
    else if (item.object.kind === RESOURCES.moduleTemplate.kind) groups[1].push(item);
    else groups[2].push(item);
  }
  return groups;
}

/** A release meta waits when a template that it would name is not there as wanted. */
async function carryOutMeta(
  item: PlanItem,
  absent: ReadonlyMap<string, Outcome>,
  carryOut: (item: PlanItem) => Promise<void>,
  note: (outcome: Outcome) => void,
): Promise<void> {
  const named = item.kind === "create" || item.kind === "change" ? namedTemplates(item.desired) : [];
  const blocking = named.find((name) => absent.has(name));
  if (blocking === undefined) await carryOut(item);
  else note(skipped(item, `ModuleTemplate ${blocking}, which it names, is not there as wanted`));
}

/** The objects that were to be written and are not as wanted, by name. */
function unsettled(outcomes: readonly Outcome[]): ReadonlyMap<string, Outcome> {
  const failed = outcomes.filter(
    ({ item, result }) => (result !== "done" && result !== "left") || (result === "left" && isObstacle(item)),
  );
  return new Map(failed.map((outcome) => [outcome.item.object.name, outcome]));
}

function isObstacle({ kind }: PlanItem): boolean {
  return kind === "refused" || kind === "waiting";
}

interface Removal {
  readonly input: PlanInput;
  readonly controlPlane: ControlPlane;
  readonly carryOut: (item: PlanItem) => Promise<void>;
  readonly note: (outcome: Outcome) => void;
}

/** Release metas first. Templates after a fresh look: somebody may have begun to use one since the plan was made. */
async function removeInOrder(removals: readonly PlanItem[], removal: Removal, run: Run): Promise<void> {
  const [metas, templates] = [
    removals.filter(({ object }) => object.kind === RESOURCES.moduleReleaseMeta.kind),
    removals.filter(({ object }) => object.kind === RESOURCES.moduleTemplate.kind),
  ];
  await inParallel(metas, removal.carryOut, run.signal);
  if (templates.length === 0 || run.signal.aborted) return;
  const usage = await lookAgain(removal, run);
  await inParallel(
    templates,
    async (item) => {
      const obstacle = obstacleTo(item, usage);
      if (obstacle === undefined) await removal.carryOut(item);
      else removal.note(skipped(item, obstacle));
    },
    run.signal,
  );
}

/** Who uses templates now. */
interface Usage {
  readonly named: ReadonlySet<string>;
  readonly references: References;
}

/** A look that fails leaves everybody's use unknown: then nothing is removed. */
async function lookAgain({ controlPlane, input }: Removal, run: Run): Promise<Usage> {
  const { namespace } = input.desired.target;
  try {
    const metas = await listAll(controlPlane, RESOURCES.moduleReleaseMeta, namespace, run);
    return {
      named: new Set(metas.flatMap(namedTemplates)),
      references: await readReferences(controlPlane, namespace, run),
    };
  } catch (error) {
    if (!(error instanceof Fault) && !run.signal.aborted) throw error;
    const because = error instanceof Error ? error.message : String(error);
    return { named: new Set(), references: { kind: "unknown", because } };
  }
}

/** Why a template that nobody used when the plan was made stays after all. */
function obstacleTo({ object: { name } }: PlanItem, { named, references }: Usage): string | undefined {
  if (references.kind === "unknown") return `nobody can tell who uses it: ${references.because}`;
  return named.has(name) || references.templates.has(name) ? "somebody has begun to use it" : undefined;
}

function skipped(item: PlanItem, because: string): Outcome {
  return isAct(item) ? { item, result: "skipped", because } : { item, result: "left" };
}

/** Runs `task` on each item, some at a time; starts no more of them once `signal` is aborted. */
async function inParallel(
  items: readonly PlanItem[],
  task: (item: PlanItem) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted) return;
      await task(item);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
