import { compare, type Difference } from "../kubernetes/compare.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { fieldOwners, takeOwnership } from "../kubernetes/ownership.ts";
import { Fault, type ControlPlane, type FaultCode, type Run } from "../ports.ts";
import { expectedObject, referenceTo, namedResource } from "./identity.ts";
import { isAct, type ObjectChange, type ItemOf, type ModulePlan, type PlanItem } from "./plan/item.ts";
import type { DecidedAgain } from "./plan/plan.ts";

/** The result of carrying out one item of a plan. */
export type ObjectOutcome = {
  readonly item: PlanItem;
  /** The entries of its module, as decided again after another client changed the object; `undefined`: it did not. */
  readonly again?: ModulePlan["entries"] | undefined;
} & (
  | { readonly result: "done" }
  /** There was nothing to do, or the item may not be carried out. */
  | { readonly result: "left" }
  /** Another client undoes our writes: no retry until something changes. */
  | { readonly result: "contested"; readonly by: readonly string[]; readonly fields: readonly Difference[] }
  | { readonly result: "failed"; readonly fault: Fault }
  /** Not tried, because an earlier step did not succeed. */
  | { readonly result: "skipped"; readonly because: string }
);

/** The drift that an outcome repaired; `undefined`: none. */
export function outcomeRepair({ item, result }: ObjectOutcome): ObjectChange | undefined {
  const change = item.kind === "retained" ? item.repair : item.kind === "change" ? item : undefined;
  return result === "done" && change?.cause === "drift" ? change : undefined;
}

const OUTAGES: ReadonlySet<FaultCode> = new Set<FaultCode>([
  "CLUSTER_UNREACHABLE",
  "CLUSTER_TIMEOUT",
  "CLUSTER_BUSY",
  "CLUSTER_UNAUTHORIZED",
]);

/** Whether a write failed in a way that affects all requests. It was already retried for as long as a restart takes. */
export function isOutage(outcome: ObjectOutcome): outcome is Extract<ObjectOutcome, { result: "failed" }> {
  return outcome.result === "failed" && isOutageFault(outcome.fault);
}

/** Whether a request failed because the server is unreachable or accepts no requests. */
export function isOutageFault({ code }: Fault): boolean {
  return OUTAGES.has(code);
}

/** After so many conflicts an object counts as contested. */
const ATTEMPTS = 5;

/** The context in which items are carried out. */
interface ApplyWorld {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  /** Plans an item again for its current object, `live`. */
  readonly judgeAgain: (item: PlanItem, live: KubernetesObject | undefined) => DecidedAgain;
  /** Gives the reason not to remove an object. Called right before each attempt. */
  readonly blockerTo: (item: PlanItem) => Promise<string | undefined>;
  /** Called before each attempt. Its signal is aborted when another writer may have begun. */
  readonly writing: () => Run;
}

/**
 * Carries out one item. If the object changed since the plan, the server answers 409, and only that object is read and
 * planned again.
 */
export async function applyItem(planned: PlanItem, world: ApplyWorld): Promise<ObjectOutcome> {
  const { kind, name } = planned.object;
  const ref = { resource: namedResource(kind), namespace: world.namespace, name };
  let item = planned;
  let again: ObjectOutcome["again"];
  try {
    for (let attempt = 1; isAct(item); attempt++) {
      const run = world.writing();
      run.signal.throwIfAborted();
      const answer = await tryToAct(item, world, run);
      if (answer.kind !== "conflict") return { ...objectOutcome(planned, answer), again };
      const live = await world.controlPlane.read(ref, run);
      if (attempt === ATTEMPTS)
        return { item: planned, result: "contested", by: live === undefined ? [] : fieldOwners(live, []), fields: [] };
      ({ item, entries: again } = world.judgeAgain(item, live));
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { item: planned, result: "failed", fault: error };
  }
  // There was nothing to do, another client did it, or it must not be done any more.
  const isDone = item !== planned && (item.kind === "unchanged" || item.kind === "retained");
  return { item, again, result: isDone ? "done" : "left" };
}

function objectOutcome(item: PlanItem, answer: Exclude<ApplyAnswer, { kind: "conflict" }>): ObjectOutcome {
  switch (answer.kind) {
    case "done":
      return { item, result: "done" };
    case "stored": {
      const fields = compare(answer.desired, answer.stored);
      if (fields.length === 0) return { item, result: "done" };
      const by = [...new Set(fields.flatMap(({ path }) => fieldOwners(answer.stored, path)))];
      return { item, result: "contested", fields, by };
    }
    case "kept":
      return { item, result: "skipped", because: answer.because };
  }
}

type ApplyAnswer =
  | { readonly kind: "stored"; readonly desired: KubernetesObject; readonly stored: KubernetesObject }
  | { readonly kind: "done" }
  | { readonly kind: "conflict" }
  | { readonly kind: "kept"; readonly because: string };

async function tryToAct(item: PlanItem, world: ApplyWorld, run: Run): Promise<ApplyAnswer> {
  try {
    return await act(item, world, run);
  } catch (error) {
    if (error instanceof Fault && error.code === "CLUSTER_CONFLICT") return { kind: "conflict" };
    throw error;
  }
}

async function act(item: PlanItem, world: ApplyWorld, run: Run): Promise<ApplyAnswer> {
  if (item.kind === "create") {
    const stored = await world.controlPlane.apply(item.desired, "absent", run);
    return { kind: "stored", desired: item.desired, stored };
  }
  if (item.kind === "change") return change(item, world.controlPlane, run);
  if (item.kind === "retained" && item.repair !== undefined) return change(item.repair, world.controlPlane, run);
  return item.kind === "prune" ? remove(item, world, run) : { kind: "done" };
}

async function remove(item: ItemOf<"prune">, world: ApplyWorld, run: Run): Promise<ApplyAnswer> {
  const { live } = item;
  const because = await world.controlPlane.remove(
    referenceTo(live),
    expectedObject(live),
    () => world.blockerTo(item),
    run,
  );
  return because === undefined ? { kind: "done" } : { kind: "kept", because };
}

async function change(
  { desired, live, takeOver, differences }: ObjectChange,
  controlPlane: ControlPlane,
  run: Run,
): Promise<ApplyAnswer> {
  const extra = differences.filter(({ kind }) => kind === "extra").map(({ path }) => path);
  const owned =
    takeOver === undefined
      ? live
      : await controlPlane.moveOwnership(
          referenceTo(live),
          expectedObject(live),
          takeOwnership(live, takeOver, extra),
          run,
        );
  return { kind: "stored", desired, stored: await controlPlane.apply(desired, expectedObject(owned), run) };
}
