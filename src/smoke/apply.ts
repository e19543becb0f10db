import { fieldAt, listAt, textAt } from "../document/fields.ts";
import { objectGroupKind, installOrder, isServedByPods, objectText } from "../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { apiGroup } from "../kubernetes/workload.ts";
import type { Run } from "../ports.ts";
import { blockingTrouble, refusalTrouble } from "./judge/refusal.ts";
import { firstTrouble, readLive, settle, type StepContext, type Trouble } from "./step.ts";

/** The result of applying the objects of a manifest. */
type Applied =
  | { readonly kind: "trouble"; readonly trouble: Trouble }
  | { readonly kind: "applied"; readonly unchecked: readonly string[] };

/** Applies objects in safe order: definitions are served before anything else comes. Stops at the first trouble. */
export async function applyAll(objects: readonly KubernetesObject[], context: StepContext, run: Run): Promise<Applied> {
  const unchecked: string[] = [];
  for (const group of installOrder(objects)) {
    const refused = await firstTrouble(group, async (object) => {
      const outcome = await applyOne(object, context, run);
      if (outcome.kind === "unchecked") unchecked.push(outcome.why);
      return outcome.kind === "trouble" ? outcome.trouble : undefined;
    });
    const trouble = refused ?? (await servedTrouble(group, context, run));
    if (trouble !== undefined) return { kind: "trouble", trouble };
  }
  return { kind: "applied", unchecked };
}

type AppliedOne =
  | { readonly kind: "applied" }
  | { readonly kind: "unchecked"; readonly why: string }
  | { readonly kind: "trouble"; readonly trouble: Trouble };

async function applyOne(object: KubernetesObject, context: StepContext, run: Run): Promise<AppliedOne> {
  const { pods } = context;
  const absent = await absentKind(object, context, run);
  if (absent !== undefined) return { kind: "unchecked", why: absent };
  const blocking = blockingTrouble(object);
  if (blocking !== undefined) return { kind: "trouble", trouble: blocking };
  const isTrial = !pods && isServedByPods(object);
  const trouble = await settleApply(object, isTrial, context, run);
  if (trouble !== undefined) return { kind: "trouble", trouble };
  return isTrial
    ? { kind: "unchecked", why: `${objectText(object)} calls pods, and nothing runs them here` }
    : { kind: "applied" };
}

/**
 * A message if the cluster lacks the kind of an object, and the module lists that kind as required: the cluster need
 * not have it.
 */
export async function absentKind(
  object: KubernetesObject,
  { cluster, requires }: StepContext,
  run: Run,
): Promise<string | undefined> {
  const { apiVersion, kind } = object;
  const isRequired = requires.some((api) => api.group === apiGroup(apiVersion) && api.kind === kind);
  if (!isRequired || (await cluster.kindOf(apiVersion, kind, run)) !== undefined) return undefined;
  return `${objectText(object)}: the cluster has no ${kind} (${apiVersion}), which the module requires`;
}

/**
 * Applies an object. A webhook may be called before its pods answer: where pods run, it gets the time of a roll-out.
 */
async function settleApply(
  object: KubernetesObject,
  isTrial: boolean,
  context: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  let last: Trouble | undefined;
  const trouble = await settle(
    context,
    async () => {
      const answer = await context.cluster.apply(object, { isTrial }, run);
      last = answer.kind === "accepted" ? undefined : refusalTrouble(object, answer);
      return context.pods && last !== undefined && /calling webhook|conversion webhook/.test(last.said)
        ? last
        : undefined;
    },
    run,
  );
  return trouble ?? last;
}

/** Waits until the definitions among `objects` are served. */
async function servedTrouble(
  objects: readonly KubernetesObject[],
  context: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  const definitions = objects.filter(isDefinition);
  return firstTrouble(definitions, (definition) => settle(context, () => unservedBy(definition, context, run), run));
}

async function unservedBy(
  definition: KubernetesObject,
  { cluster }: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  const live = await readLive(definition, cluster, run);
  const object = objectText(definition);
  if (live?.metadata.deletionTimestamp !== undefined) {
    const said = `it has been in Terminating since ${live.metadata.deletionTimestamp}: objects of its kind have finalizers`;
    return { object, said, remedy: "Remove the finalizers of its objects, or let the manager that set them do so." };
  }
  const unmet = statusConditions(live).find(({ type, status }) => type === "NamesAccepted" && status === "False");
  if (unmet !== undefined)
    return { object, said: unmet.message, remedy: "Choose names that no other definition has: see spec.names." };
  const isEstablished = statusConditions(live).some(({ type, status }) => type === "Established" && status === "True");
  const kinds = isEstablished ? objectKinds(definition) : [];
  const served = await Promise.all(kinds.map(({ apiVersion, kind }) => cluster.kindOf(apiVersion, kind, run)));
  if (isEstablished && served.every((kind) => kind !== undefined)) return undefined;
  return { object, said: "it is not established", remedy: "Look at the conditions in its status." };
}

/** Whether an object defines a kind. */
export function isDefinition(object: KubernetesObject): boolean {
  return objectGroupKind(object) === "apiextensions.k8s.io/CustomResourceDefinition";
}

/** The kind that a definition defines, in each version that it serves. */
export function objectKinds(
  definition: KubernetesObject,
): readonly { readonly apiVersion: string; readonly kind: string }[] {
  const [group, kind] = [textAt(definition, ["spec", "group"]), textAt(definition, ["spec", "names", "kind"])];
  const served = listAt(definition, ["spec", "versions"]).filter((one) => fieldAt(one, ["served"]) === true);
  return served.map((one) => ({
    apiVersion: `${group ?? ""}/${textAt(one, ["name"]) ?? ""}`,
    kind: kind ?? "",
  }));
}

/** A condition of an object's status. Missing fields are empty texts. */
interface StatusCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The conditions of an object. */
export function statusConditions(object: unknown): readonly StatusCondition[] {
  const text = (of: unknown, field: string): string => textAt(of, [field]) ?? "";
  return listAt(object, ["status", "conditions"]).map((one) => ({
    type: text(one, "type"),
    status: text(one, "status"),
    reason: text(one, "reason"),
    message: text(one, "message"),
  }));
}
