import { objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject, ObjectRef } from "../../kubernetes/object.ts";
import type { Run } from "../../ports.ts";
import { applyAll } from "../apply.ts";
import { type ModuleContent, whatUsersWrite } from "../content.ts";
import { copyRefusal } from "../copy.ts";
import { readyTrouble, customResourceState } from "../customResource.ts";
import type { UsedObject } from "../judge/kept.ts";
import { refusalTrouble } from "../judge/refusal.ts";
import { optionalFields, servedSchema, USER_MARK } from "../judge/userChange.ts";
import { holdStill } from "../hold.ts";
import { managerMemory } from "../memory.ts";
import { failed, refTo, type Seen, type StepContext, type StepOutcome, type Trouble } from "../step.ts";

/**
 * Creates the objects that users write, waits until they are Ready, changes them as users do, and checks that the state
 * stays.
 */
export async function use(context: StepContext, run: Run): Promise<StepOutcome> {
  const content = context.from ?? context.to;
  const written = whatUsersWrite(content);
  const measured = async (): Promise<Pick<Seen, "memory">> => ({
    memory: { [context.from === undefined ? "to" : "from"]: await managerMemory(content, context, run) },
  });
  if (written.length === 0)
    return { kind: "passed", seen: await measured(), notes: ["the module has neither a default CR nor samples"] };
  const applied = await applyAll(written, context, run);
  if (applied.kind === "trouble") return failed(applied.trouble);
  const ready = await readyTrouble(written, content, context, run);
  if (ready !== undefined) return failed(ready);
  const used: UsedObject[] = [];
  for (const object of written) {
    const changed = await changeAsUser(object, content, context, run);
    if ("said" in changed) return failed(changed);
    used.push({ ...changed, copyRefusal: await copyRefusal(changed.stored, context.cluster, run) });
  }
  const unrest = await holdStill(content, used, context, run);
  if (unrest !== undefined) return failed(unrest);
  const unchecked = context.pods
    ? []
    : customResourceState(written, content).map((object) => `the state of ${objectText(object)}`);
  const changes = used.flatMap(({ wrote }) => changedFields(wrote, written));
  return {
    kind: "passed",
    seen: { used, ...(await measured()) },
    notes: changes,
    unchecked: [...applied.unchecked, ...unchecked],
  };
}

/** Sets a label, an annotation, and one optional field: the first that the API server accepts. */
async function changeAsUser(
  object: KubernetesObject,
  content: ModuleContent,
  { cluster }: StepContext,
  run: Run,
): Promise<UsedObject | Trouble> {
  const ref = await refTo(object, cluster, run);
  if (ref === undefined) return { object: objectText(object), said: "its kind is not served any more", remedy: GONE };
  const mark = { metadata: { labels: USER_MARK, annotations: USER_MARK } };
  const schema = servedSchema(object, content.objects);
  for (const spec of schema === undefined ? [] : optionalFields(schema, object)) {
    const changed = await tryToPatch(object, ref, { ...mark, spec }, cluster, run);
    if (changed !== undefined) return changed;
  }
  const answer = await cluster.patch(ref, mark, { isTrial: false }, run);
  if (answer.kind === "refused") return refusalTrouble(object, answer);
  return { wrote: merged(object, mark), stored: answer.object };
}

const GONE = "Keep serving the kind as long as users have objects of it.";

async function tryToPatch(
  object: KubernetesObject,
  ref: ObjectRef,
  content: UserPatch,
  cluster: StepContext["cluster"],
  run: Run,
): Promise<UsedObject | undefined> {
  const trial = await cluster.patch(ref, content, { isTrial: true }, run);
  if (trial.kind === "refused") return undefined;
  const answer = await cluster.patch(ref, content, { isTrial: false }, run);
  return answer.kind === "refused" ? undefined : { wrote: merged(object, content), stored: answer.object };
}

interface UserPatch {
  readonly metadata: Pick<KubernetesObject["metadata"], "labels" | "annotations">;
  readonly spec?: Readonly<Record<string, unknown>>;
}

function merged(object: KubernetesObject, { metadata, spec }: UserPatch): KubernetesObject {
  const { labels, annotations } = object.metadata;
  const written = {
    labels: { ...labels, ...metadata.labels },
    annotations: { ...annotations, ...metadata.annotations },
  };
  const wrote = { ...object, metadata: { ...object.metadata, ...written } };
  return spec === undefined ? wrote : { ...wrote, spec: { ...(object["spec"] as object | undefined), ...spec } };
}

function changedFields(wrote: KubernetesObject, written: readonly KubernetesObject[]): readonly string[] {
  const before = written.find((object) => objectText(object) === objectText(wrote));
  const fields = Object.entries(wrote["spec"] ?? {}).filter(
    ([name]) => (before?.["spec"] as Record<string, unknown> | undefined)?.[name] === undefined,
  );
  return fields.map(([name, value]) => `a user set spec.${name} of ${objectText(wrote)} to ${JSON.stringify(value)}`);
}
