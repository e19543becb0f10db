import { compare, type Difference } from "../kubernetes/compare.ts";
import {
  RESOURCES,
  type Expected,
  type KubernetesObject,
  type ObjectRef,
  type Resource,
} from "../kubernetes/object.ts";
import { ownersOf, takeOwnership } from "../kubernetes/ownership.ts";
import { Fault, type ControlPlane, type Run } from "../ports.ts";
import { judgeAgain } from "./plan.ts";
import { isAct, type Change, type PlanInput, type PlanItem } from "./planItem.ts";

/** What became of one item of a plan. */
export type Outcome = { readonly item: PlanItem } & (
  | { readonly result: "done" }
  /** There was nothing to do, or nothing that may be done. */
  | { readonly result: "left" }
  /** Somebody else undoes what we do: not tried again until something changes. */
  | { readonly result: "contested"; readonly by: readonly string[]; readonly fields: readonly Difference[] }
  | { readonly result: "failed"; readonly fault: Fault }
  /** Not tried, since something before it did not succeed. */
  | { readonly result: "skipped"; readonly because: string }
);

/** How often an object that moves under our hands is planned again before it counts as contested. */
const ATTEMPTS = 5;

/**
 * Carries out one item. Where the object moved since it was planned, the server answers 409, and that object alone is
 * read and planned again.
 */
export async function applyItem(
  planned: PlanItem,
  input: PlanInput,
  controlPlane: ControlPlane,
  run: Run,
): Promise<Outcome> {
  let item = planned;
  for (let attempt = 1; isAct(item); attempt++) {
    try {
      const answer = await tryToAct(item, controlPlane, run);
      if (answer === "done") return { item: planned, result: "done" };
      if (answer !== "conflict") return settle(planned, answer);
      const live = await controlPlane.read(refOf(item, input), run);
      if (attempt === ATTEMPTS) return contested(planned, live);
      item = judgeAgain(item, live, input);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { item: planned, result: "failed", fault: error };
    }
  }
  // There was nothing to do; or somebody else did it, or it must not be done any more.
  return {
    item,
    result: item !== planned && (item.kind === "unchanged" || item.kind === "retained") ? "done" : "left",
  };
}

interface Answer {
  readonly desired: KubernetesObject;
  readonly stored: KubernetesObject;
}

async function tryToAct(item: PlanItem, controlPlane: ControlPlane, run: Run): Promise<Answer | "done" | "conflict"> {
  try {
    return (await act(item, controlPlane, run)) ?? "done";
  } catch (error) {
    if (error instanceof Fault && error.code === "CLUSTER_CONFLICT") return "conflict";
    throw error;
  }
}

async function act(item: PlanItem, controlPlane: ControlPlane, run: Run): Promise<Answer | undefined> {
  switch (item.kind) {
    case "create":
      return { desired: item.desired, stored: await controlPlane.apply(item.desired, "absent", run) };
    case "change":
      return change(item, controlPlane, run);
    case "retained":
      return item.repair && change(item.repair, controlPlane, run);
    case "prune":
      await controlPlane.remove(referenceTo(item.live), identityOf(item.live), run);
      return undefined;
    case "unchanged":
    case "refused":
    case "waiting":
      return undefined;
  }
}

async function change(
  { desired, live, takeOver, differences }: Change,
  controlPlane: ControlPlane,
  run: Run,
): Promise<Answer> {
  const extra = differences.filter(({ kind }) => kind === "extra").map(({ path }) => path);
  const owned =
    takeOver === undefined
      ? live
      : await controlPlane.moveOwnership(
          referenceTo(live),
          identityOf(live),
          takeOwnership(live, takeOver, extra),
          run,
        );
  return { desired, stored: await controlPlane.apply(desired, identityOf(owned), run) };
}

function settle(item: PlanItem, { desired, stored }: Answer): Outcome {
  const fields = compare(desired, stored);
  if (fields.length === 0) return { item, result: "done" };
  return { item, result: "contested", fields, by: [...new Set(fields.flatMap(({ path }) => ownersOf(stored, path)))] };
}

function contested(item: PlanItem, live: KubernetesObject | undefined): Outcome {
  const by = live === undefined ? [] : ownersOf(live, []);
  return { item, result: "contested", by, fields: [] };
}

/** The very object, as it was read. */
export function identityOf({ metadata: { uid = "", resourceVersion = "" } }: KubernetesObject): Expected {
  return { uid, resourceVersion };
}

function referenceTo({ kind, metadata: { name, namespace = "" } }: KubernetesObject): ObjectRef {
  return { resource: resourceOf(kind), namespace, name };
}

function refOf({ object }: PlanItem, { desired }: PlanInput): ObjectRef {
  return { resource: resourceOf(object.kind), namespace: desired.target.namespace, name: object.name };
}

function resourceOf(wanted: string): Resource {
  return Object.values(RESOURCES).find(({ kind }) => kind === wanted) ?? RESOURCES.moduleTemplate;
}
