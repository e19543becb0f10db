import { fieldAt } from "../../document/fields.ts";
import { objectKey, objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { causeText } from "../../kubernetes/validation.ts";
import type { Run } from "../../ports.ts";
import { applyAll, isDefinition } from "../apply.ts";
import { copyRefusal } from "../copy.ts";
import { readyTrouble, customResourceState } from "../customResource.ts";
import { lostFields, lostText, type UsedObject } from "../judge/kept.ts";
import { refusalTrouble } from "../judge/refusal.ts";
import { servedSchema } from "../judge/userChange.ts";
import { removeAll } from "../remove.ts";
import { failed, readLive, refTo, type StepContext, type StepOutcome, type Trouble } from "../step.ts";

/** Checks that objects of users are still served as they wrote them, and that the new default CR works as well. */
export async function served(context: StepContext, run: Run): Promise<StepOutcome> {
  const { to, seen, pods } = context;
  const unchecked: string[] = [];
  for (const used of seen.used) {
    const trouble = await keptTrouble(used, context, run);
    if (trouble === undefined) continue;
    if (pods || !trouble.said.includes("conversion webhook")) return failed(trouble);
    unchecked.push(`${objectText(used.wrote)}: its conversion calls pods, and nothing runs them here`);
  }
  const objects = seen.used.map(({ wrote }) => wrote);
  const notReady = await readyTrouble(objects, to, context, run);
  if (notReady !== undefined) return failed(notReady);
  const fresh = await newDefaultTrouble(context, run);
  if (fresh !== undefined) return failed(fresh);
  if (!pods) unchecked.push(...customResourceState(objects, to).map((object) => `the state of ${objectText(object)}`));
  return { kind: "passed", notes: await storedVersions(context, run), unchecked };
}

async function keptTrouble(used: UsedObject, context: StepContext, run: Run): Promise<Trouble | undefined> {
  const { cluster, to } = context;
  const { wrote } = used;
  const { apiVersion, kind } = wrote;
  const ref = await refTo(wrote, cluster, run);
  const object = objectText(wrote);
  if (ref === undefined) {
    const remedy = "Keep serving the version that users wrote, and convert it.";
    return { object, said: `the kind ${kind} is not served as ${apiVersion} any more`, remedy };
  }
  // Stores the object again, in the storage version of the new definition.
  const touch = { metadata: { annotations: { "smoke.kyma-modules/touched": "true" } } };
  const answer = await cluster.patch(ref, touch, { isTrial: false }, run);
  if (answer.kind === "refused")
    return answer.status === 404
      ? { object, said: "it is gone", remedy: "Keep the objects of users: removing a definition deletes them." }
      : { ...refusalTrouble(wrote, answer), remedy: "Accept what users have stored: widen the schema, or convert it." };
  const now = (await cluster.read(ref, run)) ?? answer.object;
  const lost = lostFields(used, now);
  if (lost.length > 0) {
    const said = lost.map(lostText).join("; ");
    return {
      object,
      said,
      remedy: "Keep the field in every version of the schema that is served or stored, and convert it.",
    };
  }
  return servedSchema(wrote, to.objects) === undefined ? undefined : invalidTrouble(used, now, context, run);
}

/** Whether the new schema refuses what users have stored, for another reason than the old one refused a second object. */
async function invalidTrouble(
  { copyRefusal: before }: UsedObject,
  now: KubernetesObject,
  { cluster }: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  const refusal = await copyRefusal(now, cluster, run);
  const known = new Set(before?.causes.map(causeText));
  const causes = refusal?.causes.filter((cause) => !known.has(causeText(cause))) ?? [];
  if (refusal === undefined || (causes.length === 0 && known.size > 0)) return undefined;
  const remedy = "Accept what users have stored: widen the schema, or convert it.";
  return { ...refusalTrouble(now, { ...refusal, causes }), remedy };
}

/** Tries the new default CR, which a user who enables the module now gets. */
async function newDefaultTrouble(context: StepContext, run: Run): Promise<Trouble | undefined> {
  const { defaultCr } = context.to;
  if (defaultCr === undefined) return undefined;
  const standing = context.seen.used.filter(({ wrote }) => objectKey(wrote) === objectKey(defaultCr));
  const removed = await removeAll(
    standing.map(({ wrote }) => wrote),
    context,
    run,
  );
  if (removed !== undefined) return removed;
  const applied = await applyAll([defaultCr], context, run);
  if (applied.kind === "trouble") return applied.trouble;
  return readyTrouble([defaultCr], context.to, context, run);
}

/** Notes on the versions in which objects may be stored now. */
async function storedVersions({ to, cluster }: StepContext, run: Run): Promise<readonly string[]> {
  const definitions = to.objects.filter(isDefinition);
  return Promise.all(
    definitions.map(async (definition) => {
      const versions = fieldAt(await readLive(definition, cluster, run), ["status", "storedVersions"]);
      return `${definition.metadata.name} stores ${Array.isArray(versions) ? versions.join(", ") : "nothing"}`;
    }),
  );
}
