import { textAt } from "../../document/fields.ts";
import { objectText } from "../../kubernetes/installOrder.ts";
import type { Run } from "../../ports.ts";
import { applyAll } from "../apply.ts";
import { whatUsersWrite, type ModuleContent } from "../content.ts";
import { absentApis, readyTrouble, stateOf } from "../customResource.ts";
import { removeAll } from "../remove.ts";
import { rollOut } from "../rollOut.ts";
import { failed, readLive, type Neighbour, type StepContext, type StepOutcome, type Trouble } from "../step.ts";
import { customResources } from "./uninstall.ts";

/**
 * Tries the version beside those that it needs, and that need it; each pair in turn. Before, with what it requires
 * absent, its manager must have stayed up: the steps until here showed that.
 */
export async function dependencies(context: StepContext, run: Run): Promise<StepOutcome> {
  const { neighbours, requires, pods } = context;
  if (neighbours.length === 0 && requires.length === 0)
    return { kind: "passed", notes: ["it requires no API, and no module requires one of its own"] };
  const notes = await saidOfAbsence(context, run);
  for (const neighbour of neighbours) {
    const { content } = neighbour;
    const trouble = await pairTrouble(neighbour, context, run);
    const pair = `with ${content.version.template.module} ${content.version.version} (${neighbour.role})`;
    if (trouble !== undefined) return failed({ ...trouble, said: `${pair}, ${trouble.said}` });
    notes.push(pair);
  }
  const unchecked = pods ? [] : ["whether the managers get on: nothing runs them here"];
  const providers = neighbours.some(({ role }) => role === "provider");
  if (requires.length > 0 && !providers)
    unchecked.push("what it does with the APIs that it requires: no channel serves them");
  return { kind: "passed", notes, unchecked };
}

/** What the custom resources say while the required APIs are absent: a warning is right, and silence worth a word. */
async function saidOfAbsence(context: StepContext, run: Run): Promise<string[]> {
  const { pods, requires, to, cluster } = context;
  const absent = await absentApis(requires, cluster, run);
  if (!pods || absent.length === 0) return [];
  const notes: string[] = [];
  for (const object of stateOf(whatUsersWrite(to), to)) {
    const state = textAt(await readLive(object, cluster, run), ["status", "state"]) ?? "not set";
    const word = state === "Warning" ? "says so" : "does not say so";
    notes.push(`without ${absent.join(", ")} ${objectText(object)} is ${state}: it ${word}`);
  }
  return notes;
}

/** Brings the neighbour, looks at both, and takes it away again. */
async function pairTrouble({ content }: Neighbour, context: StepContext, run: Run): Promise<Trouble | undefined> {
  const { to } = context;
  const arrived =
    (await bring(content, context, run)) ??
    (await appliedTrouble(to, context, run)) ??
    (await readyTrouble(whatUsersWrite(to), to, context, run));
  const gone = await takeAway(content, context, run);
  return arrived ?? gone ?? (await rollOut(to.objects, context, run)).trouble;
}

async function bring(content: ModuleContent, context: StepContext, run: Run): Promise<Trouble | undefined> {
  const applied = await applyAll(content.objects, context, run);
  if (applied.kind === "trouble") return applied.trouble;
  const { trouble } = await rollOut(content.objects, context, run);
  if (trouble !== undefined) return trouble;
  const users = await applyAll(whatUsersWrite(content), context, run);
  return users.kind === "trouble" ? users.trouble : readyTrouble(whatUsersWrite(content), content, context, run);
}

/** Objects of kinds that were absent are accepted now, or refused. */
async function appliedTrouble(to: ModuleContent, context: StepContext, run: Run): Promise<Trouble | undefined> {
  const applied = await applyAll(to.objects, context, run);
  return applied.kind === "trouble" ? applied.trouble : (await rollOut(to.objects, context, run)).trouble;
}

async function takeAway(content: ModuleContent, context: StepContext, run: Run): Promise<Trouble | undefined> {
  const users = [...whatUsersWrite(content), ...(await customResources(content.objects, context.cluster, run))];
  return (await removeAll(users, context, run)) ?? removeAll(content.objects, context, run);
}
