import { textAt } from "../../document/fields.ts";
import { objectKey, objectText } from "../../kubernetes/installOrder.ts";
import type { Run } from "../../ports.ts";
import { applyAll } from "../apply.ts";
import { whatUsersWrite, type ModuleContent } from "../content.ts";
import { absentApis, apisText, readyTrouble, customResourceState } from "../customResource.ts";
import { removeAll } from "../remove.ts";
import { rollOut } from "../rollOut.ts";
import { failed, readLive, type Neighbour, type StepContext, type StepOutcome, type Trouble } from "../step.ts";
import { customResources } from "./uninstall.ts";

/**
 * Tries the version with each version that it needs, and with each that needs it, one pair after the other. The earlier
 * steps showed, where pods run, that its manager stays up without the APIs that it requires.
 */
export async function dependencies(context: StepContext, run: Run): Promise<StepOutcome> {
  const { neighbours, requires, pods } = context;
  const absent = await absentApis(requires, context.cluster, run);
  const notes = [...knownWithoutPairs(context, absent), ...(await saidOfAbsence(absent, context, run))];
  const unchecked: string[] = [];
  let pairs = 0;
  for (const neighbour of neighbours) {
    const outcome = await tryPair(neighbour, context, run);
    const { role, version } = neighbour;
    const pair = `with ${version.template.module} ${version.version} (${role})`;
    if (outcome.kind === "failed") {
      const { trouble } = outcome;
      return failed({ ...trouble, said: `${pair}, ${trouble.said}` });
    }
    if (outcome.kind === "notChecked") unchecked.push(`${pair}: ${outcome.why}`);
    else pairs = notes.push(pair);
  }
  if (pairs > 0 && !pods) unchecked.push("whether the managers work together: nothing runs them here");
  const provided = new Set(neighbours.filter(({ role }) => role === "provider").flatMap(({ needs }) => needs));
  const unmet = absent.filter((api) => !provided.has(api));
  if (unmet.length > 0)
    unchecked.push(`how it works with ${apisText(unmet)}: no known manifest of a channel defines it`);
  return notes.length > 0 ? { kind: "passed", notes, unchecked } : { kind: "notChecked", why: unchecked.join("; ") };
}

function knownWithoutPairs(
  { neighbours, requires, pods }: StepContext,
  absent: StepContext["requires"],
): readonly string[] {
  if (requires.length === 0)
    return neighbours.length === 0 ? ["it requires no API, and no module of the channels requires one of its own"] : [];
  if (absent.length === 0) return ["the cluster itself serves every API that it requires"];
  return pods ? [`it stayed up without ${apisText(absent)}`] : [];
}

/** Notes on the state of the custom resources while required APIs are absent: it should be Warning. */
async function saidOfAbsence(
  absent: StepContext["requires"],
  { pods, to, cluster }: StepContext,
  run: Run,
): Promise<readonly string[]> {
  if (!pods || absent.length === 0) return [];
  const notes: string[] = [];
  for (const object of customResourceState(whatUsersWrite(to), to)) {
    const state = textAt(await readLive(object, cluster, run), ["status", "state"]) ?? "not set";
    const word = state === "Warning" ? "reports this" : "does not report this";
    notes.push(`without ${apisText(absent)} ${objectText(object)} is ${state}: it ${word}`);
  }
  return notes;
}

/** Brings the neighbour, checks both, and removes it again. */
async function tryPair(neighbour: Neighbour, context: StepContext, run: Run): Promise<StepOutcome> {
  const { content } = neighbour;
  if ("said" in content) return { kind: "notChecked", why: content.said };
  const outcome = await together({ ...neighbour, content }, context, run);
  const gone = (await takeAway(content, context, run)) ?? (await rollOut(context.to.objects, context, run)).trouble;
  return outcome.kind === "failed" || gone === undefined ? outcome : failed(gone);
}

interface KnownNeighbour extends Neighbour {
  readonly content: ModuleContent;
}

/** Brings a provider first. Brings a consumer only if it finds what it requires. */
async function together(
  { role, content, requires, ...neighbour }: KnownNeighbour,
  context: StepContext,
  run: Run,
): Promise<StepOutcome> {
  const { to, cluster } = context;
  const own = { ...context, requires };
  const trouble = role === "provider" ? await bring(content, own, run) : undefined;
  if (trouble !== undefined) return failed(trouble);
  const lacking = await absentApis(neighbour.needs, cluster, run);
  if (lacking.length > 0) return lackOutcome(role, apisText(lacking), neighbour);
  const late =
    (role === "consumer" ? await bring(content, own, run) : undefined) ??
    (await appliedTrouble(to, context, run)) ??
    (await readyTrouble(whatUsersWrite(to), to, context, run));
  return late === undefined ? { kind: "passed" } : failed(late);
}

/**
 * The outcome for a pair that lacks an API. In another channel it is not a failure: a Kyma may take single modules from
 * there, but such a pair need not work.
 */
function lackOutcome(
  role: Neighbour["role"],
  apis: string,
  { isInSameChannel }: Pick<Neighbour, "isInSameChannel">,
): StepOutcome {
  const said =
    role === "provider" ? `which does not serve ${apis}` : `which requires ${apis}: it is not served any more`;
  if (!isInSameChannel) return { kind: "notChecked", why: `${said}, in another channel` };
  const remedy =
    role === "provider"
      ? "Bring a version of the provider that serves the API into the channel first."
      : "Keep serving the API until no module of the channel requires it.";
  return failed({ said, remedy });
}

async function bring(content: ModuleContent, context: StepContext, run: Run): Promise<Trouble | undefined> {
  const applied = await appliedTrouble(content, context, run);
  if (applied !== undefined) return applied;
  const users = await applyAll(whatUsersWrite(content), context, run);
  return users.kind === "trouble" ? users.trouble : readyTrouble(whatUsersWrite(content), content, context, run);
}

/** Applies a manifest once more: objects of kinds that were absent are accepted now, or refused. */
async function appliedTrouble(content: ModuleContent, context: StepContext, run: Run): Promise<Trouble | undefined> {
  const applied = await applyAll(content.objects, context, run);
  return applied.kind === "trouble" ? applied.trouble : (await rollOut(content.objects, context, run)).trouble;
}

/** Removes a neighbour. What was there before it, such as a namespace that both have, stays. */
async function takeAway(content: ModuleContent, context: StepContext, run: Run): Promise<Trouble | undefined> {
  const { cluster, seen, to } = context;
  const kept = new Set([...seen.before.keys(), ...to.objects.map(objectKey)]);
  const users = [...whatUsersWrite(content), ...(await customResources(content.objects, cluster, run))];
  const own = content.objects.filter((object) => !kept.has(objectKey(object)));
  return (await removeAll(users, context, run)) ?? removeAll(own, context, run);
}
