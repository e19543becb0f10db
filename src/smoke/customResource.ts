import { objectText } from "../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { fieldAt, textAt } from "../document/fields.ts";
import type { Cluster, Run } from "../ports.ts";
import { statusConditions } from "./apply.ts";
import type { ModuleContent } from "./content.ts";
import { hasState, servedSchema } from "./judge/userChange.ts";
import { firstTrouble, readLive, settle, type StepContext, type Trouble } from "./step.ts";

/** The objects whose definition has the field `status.state`. */
export function customResourceState(
  objects: readonly KubernetesObject[],
  { objects: manifest }: Pick<ModuleContent, "objects">,
): readonly KubernetesObject[] {
  return objects.filter((object) => hasState(servedSchema(object, manifest)));
}

/**
 * Waits until the custom resources among `objects` are Ready. Without pods nothing sets their state, so it does not
 * wait.
 */
export async function readyTrouble(
  objects: readonly KubernetesObject[],
  content: ModuleContent,
  context: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  if (!context.pods) return undefined;
  return firstTrouble(customResourceState(objects, content), (object) =>
    settle(context, () => notReady(object, context, run), run),
  );
}

/** Why a custom resource is not Ready. */
export async function notReady(
  object: KubernetesObject,
  { cluster, requires }: Pick<StepContext, "cluster" | "requires">,
  run: Run,
): Promise<Trouble | undefined> {
  const live = await readLive(object, cluster, run);
  const is = live === undefined ? "it is gone" : unreadyText(live);
  if (is === undefined) return undefined;
  // A module reports by a warning that it lacks the APIs that it requires.
  const isWarning = textAt(live, ["status", "state"]) === "Warning";
  if (isWarning && (await absentApis(requires, cluster, run)).length > 0) return undefined;
  const unmet = statusConditions(live).filter(({ status }) => status !== "True");
  const why = unmet.map(({ type, reason, message }) => `${type}: ${[reason, message].filter(Boolean).join(", ")}`);
  const remedy = "Look at the log of the manager: it sets status.state.";
  return { object: objectText(object), said: [is, ...why].join("; "), remedy };
}

function unreadyText(live: KubernetesObject): string | undefined {
  const state = textAt(live, ["status", "state"]);
  const observed = fieldAt(live, ["status", "observedGeneration"]);
  const isOld = typeof observed === "number" && observed < (live.metadata.generation ?? 0);
  if (state === "Ready" && !isOld) return undefined;
  return `its status.state is ${state ?? "not set"}${isOld ? ", of an older generation" : ""}`;
}

/** The APIs among `requires` that a cluster does not serve. */
export async function absentApis(
  requires: StepContext["requires"],
  cluster: Cluster,
  run: Run,
): Promise<StepContext["requires"]> {
  const known = await Promise.all(
    requires.map(({ group, version, kind }) => cluster.kindOf(`${group}/${version}`, kind, run)),
  );
  return requires.filter((_, index) => known[index] === undefined);
}

/** `Widget (example.com/v1)`, with commas between. */
export function apisText(apis: StepContext["requires"]): string {
  return apis.map(({ group, version, kind }) => `${kind} (${group}/${version})`).join(", ");
}
