import { textAt } from "../document/fields.ts";
import { objectGroupKind, objectText } from "../kubernetes/installOrder.ts";
import type { KubernetesObject, Resource } from "../kubernetes/object.ts";
import type { Cluster, Run } from "../ports.ts";
import { eventTexts } from "./judge/events.ts";
import { judgeWorkload, workloadPods, wantsNoPods, WORKLOADS, type WorkloadVerdict } from "./judge/pods.ts";
import { firstTrouble, readLive, settle, type StepContext, type Trouble } from "./step.ts";

/** The result of the roll-out of a manifest's workloads. */
interface RollOut {
  readonly trouble: Trouble | undefined;
  readonly unchecked: readonly string[];
  /** Whether pods could run here, but no workload wants any. */
  readonly isIdle: boolean;
}

/** The resource of pods. */
export const POD: Resource = { apiVersion: "v1", kind: "Pod", plural: "pods" };
const EVENT: Resource = { apiVersion: "v1", kind: "Event", plural: "events" };
/** The number of last lines of a log that are reported. */
const LINES = 8;

/** Waits until the workloads among `objects` are available. Without pods, that is not checked. */
export async function rollOut(objects: readonly KubernetesObject[], context: StepContext, run: Run): Promise<RollOut> {
  const workloads = workloadsIn(objects);
  if (!context.pods) {
    const unchecked = workloads.map((object) => `the roll-out of ${objectText(object)}`);
    return { trouble: undefined, unchecked, isIdle: false };
  }
  const trouble = await firstTrouble(workloads, async (workload) => {
    const last = await settle(context, () => workloadTrouble(workload, context, run), run);
    return last && { ...last, events: await readEvents(workload, context.cluster, run) };
  });
  const isIdle = trouble === undefined && workloads.length > 0 && (await areIdle(workloads, context, run));
  const unchecked = isIdle ? workloads.map((one) => `${objectText(one)}, which wants no pods`) : [];
  return { trouble, unchecked, isIdle };
}

/** Whether no workload wants any pods. */
async function areIdle(workloads: readonly KubernetesObject[], { cluster }: StepContext, run: Run): Promise<boolean> {
  for (const workload of workloads) {
    const live = await readLive(workload, cluster, run);
    if (live === undefined || !wantsNoPods(live)) return false;
  }
  return true;
}

/** The objects that have a roll-out. */
export function workloadsIn(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects.filter((object) => WORKLOADS.has(objectGroupKind(object)));
}

/** Why a workload is not available. */
export async function workloadTrouble(
  workload: KubernetesObject,
  { cluster }: Pick<StepContext, "cluster">,
  run: Run,
): Promise<Trouble | undefined> {
  const live = await readLive(workload, cluster, run);
  const object = objectText(workload);
  if (live === undefined) return { object, said: "it is gone", remedy: "Look at what removes it." };
  const pods = await cluster.list(POD, live.metadata.namespace, run);
  const verdict = judgeWorkload(live, pods);
  switch (verdict.kind) {
    case "available":
      return undefined;
    case "waiting":
      return { object, said: verdict.said, remedy: "Look at its probes, its resources, and the events of its pods." };
    case "broken":
      return {
        object,
        isFinal: true,
        remedy: verdict.said.includes("Image")
          ? "Push the image, or correct its reference and the pull secret."
          : "Find out why the container ended: look at its log, its arguments, its rights, its memory.",
        said: await withLastWords(verdict, live, cluster, run),
      };
  }
}

async function withLastWords(
  { said: what, pod, log }: Extract<WorkloadVerdict, { kind: "broken" }>,
  { metadata: { namespace = "" } }: KubernetesObject,
  cluster: Cluster,
  run: Run,
): Promise<string> {
  if (log === undefined) return what;
  const ref = { resource: POD, namespace, name: pod };
  const said = (isPrevious: boolean): Promise<string> => cluster.log(ref, log.container, isPrevious, run);
  // For a moment after a container ends, its log is at neither place.
  const words = (await said(log.isPrevious)) || (await said(!log.isPrevious));
  return words === "" ? what : `${what}; its last log lines: ${words.split("\n").slice(-LINES).join(" ⏎ ")}`;
}

/** The events of a workload and of its pods. */
async function readEvents(workload: KubernetesObject, cluster: Cluster, run: Run): Promise<readonly string[]> {
  const { namespace, name } = workload.metadata;
  const [events, pods] = await Promise.all([cluster.list(EVENT, namespace, run), cluster.list(POD, namespace, run)]);
  const names = new Set([name, ...workloadPods(workload, pods).map((pod) => pod.metadata.name)]);
  return eventTexts(events.filter((event) => names.has(textAt(event, ["involvedObject", "name"]) ?? "")));
}
