import { fieldAt, isRecord, listAt, textAt } from "../../document/fields.ts";
import { objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";

/** The state of a workload. */
export type WorkloadVerdict =
  | { readonly kind: "available" }
  /** Not available yet, but it may become so. */
  | { readonly kind: "waiting"; readonly said: string }
  /** It will not recover by itself. */
  | { readonly kind: "broken"; readonly said: string; readonly pod: string; readonly log: ContainerLog | undefined };

/** The container whose log tells why. */
interface ContainerLog {
  readonly container: string;
  /** Whether it is the log of the container's previous instance. */
  readonly isPrevious: boolean;
}

/** The kinds that run pods as soon as they are applied. */
export const WORKLOADS: ReadonlySet<string> = new Set([
  ...["apps/Deployment", "apps/StatefulSet", "apps/DaemonSet", "apps/ReplicaSet", "batch/Job", "/Pod"],
]);

/** Reasons that do not pass by themselves. */
const HOPELESS: ReadonlySet<string> = new Set([
  ...["CrashLoopBackOff", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "RunContainerError"],
]);

/** Whether a workload is available in its newest generation, with as many pods as it wants, none of them restarted. */
export function judgeWorkload(workload: KubernetesObject, pods: readonly KubernetesObject[]): WorkloadVerdict {
  // A Job may repeat a pod that failed.
  if (workload.kind === "Job") return waitingUnless(jobProblem(workload));
  if (workload.kind === "Pod") return brokenIn(workload) ?? waitingUnless(podProblem(workload));
  const own = workloadPods(workload, pods);
  const staying = own.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const broken = staying.flatMap((pod) => brokenIn(pod) ?? []);
  if (broken[0] !== undefined) return broken[0];
  return waitingUnless(unavailability(workload, own));
}

function waitingUnless(said: string | undefined): WorkloadVerdict {
  return said === undefined ? { kind: "available" } : { kind: "waiting", said };
}

/** Whether a workload wants no pods, so that nothing can be said about them. */
export function wantsNoPods(workload: KubernetesObject): boolean {
  return (
    fieldAt(workload, ["spec", "suspend"]) === true || (workload.kind !== "Pod" && podCounts(workload).wanted === 0)
  );
}

function jobProblem(job: KubernetesObject): string | undefined {
  if (wantsNoPods(job) || hasCondition(job, "Complete")) return undefined;
  const { wanted, available } = podCounts(job);
  return `${available} of ${wanted} pods succeeded`;
}

function podProblem(pod: KubernetesObject): string | undefined {
  if (hasCondition(pod, "Ready") || textAt(pod, ["status", "phase"]) === "Succeeded") return undefined;
  return ["it is not Ready", ...new Set(reasons(pod, [pod]))].join("; ");
}

function hasCondition(object: KubernetesObject, type: string): boolean {
  return listAt(object, ["status", "conditions"]).some(
    (condition) => fieldAt(condition, ["type"]) === type && fieldAt(condition, ["status"]) === "True",
  );
}

/** The pods that a workload selects. */
export function workloadPods(
  workload: KubernetesObject,
  pods: readonly KubernetesObject[],
): readonly KubernetesObject[] {
  const wanted = fieldAt(workload, ["spec", "selector", "matchLabels"]);
  const labels = isRecord(wanted) ? Object.entries(wanted) : [];
  return pods.filter(
    ({ metadata }) =>
      labels.length > 0 &&
      metadata.namespace === workload.metadata.namespace &&
      labels.every(([key, value]) => metadata.labels?.[key] === value),
  );
}

function brokenIn(pod: KubernetesObject): Extract<WorkloadVerdict, { kind: "broken" }> | undefined {
  for (const list of ["initContainerStatuses", "containerStatuses"]) {
    for (const status of listAt(pod, ["status", list])) {
      const said = brokenText(status);
      if (said === undefined) continue;
      const container = textAt(status, ["name"]) ?? "";
      // The kubelet may keep only the log of the newest instance that has ended.
      const isPrevious = fieldAt(status, ["state", "terminated"]) === undefined && containerEnd(status) !== undefined;
      const isRunnable = !said.includes("Image");
      const log = isRunnable ? { container, isPrevious } : undefined;
      return {
        kind: "broken",
        said: `${objectText(pod)}, container ${container}: ${said}`,
        pod: pod.metadata.name,
        log,
      };
    }
  }
  return undefined;
}

function brokenText(status: unknown): string | undefined {
  const waiting = (field: string): string => textAt(status, ["state", "waiting", field]) ?? "";
  const isHopeless = HOPELESS.has(waiting("reason"));
  const restarts = Number(fieldAt(status, ["restartCount"]) ?? 0);
  const hasFailed = numberAt(status, ["state", "terminated", "exitCode"], 0) !== 0;
  if (!isHopeless && restarts === 0 && !hasFailed) return undefined;
  const reason = isHopeless ? waiting("reason") : "";
  const count = restarts === 0 ? "" : `it was restarted ${restarts === 1 ? "once" : `${restarts} times`}`;
  return [reason, count, endedText(status) ?? waiting("message")].filter((text) => text !== "").join(", ");
}

/** The end of the newest container instance that has ended. */
function containerEnd(status: unknown): unknown {
  return fieldAt(status, ["state", "terminated"]) ?? fieldAt(status, ["lastState", "terminated"]);
}

function endedText(status: unknown): string | undefined {
  const last = containerEnd(status);
  if (last === undefined) return undefined;
  return `it ended with ${textAt(last, ["reason"]) ?? "an error"} (exit code ${String(fieldAt(last, ["exitCode"]))})`;
}

function unavailability(workload: KubernetesObject, pods: readonly KubernetesObject[]): string | undefined {
  const { generation = 0 } = workload.metadata;
  if (numberAt(workload, ["status", "observedGeneration"], 0) < generation)
    return "its newest generation is not observed yet";
  const { wanted, updated, available, all } = podCounts(workload);
  const ready = Math.min(updated, available);
  if (ready < wanted)
    return [`${ready} of ${wanted} pods are available`, ...new Set(reasons(workload, pods))].join("; ");
  // While there are pods of the previous version, the available ones may be those.
  const older = all - Math.min(updated, wanted);
  if (older > 0) return [`${older} of the previous version still run`, ...new Set(reasons(workload, pods))].join("; ");
  const ending = pods.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  return ending && `${objectText(ending)}, of the previous version, is not gone yet`;
}

interface PodCounts {
  readonly wanted: number;
  /** Of the newest generation. */
  readonly updated: number;
  /** Of any generation. */
  readonly available: number;
  readonly all: number;
}

function podCounts(workload: KubernetesObject): PodCounts {
  const status = (field: string): number => numberAt(workload, ["status", field], 0);
  if (workload.kind === "DaemonSet") {
    const wanted = status("desiredNumberScheduled");
    return { wanted, updated: status("updatedNumberScheduled"), available: status("numberAvailable"), all: wanted };
  }
  if (workload.kind === "Job") {
    const [wanted, available] = [numberAt(workload, ["spec", "completions"], 1), status("succeeded")];
    return { wanted, updated: available, available, all: available };
  }
  const available = status(workload.kind === "StatefulSet" ? "readyReplicas" : "availableReplicas");
  const [wanted, all] = [numberAt(workload, ["spec", "replicas"], 1), status("replicas")];
  // All pods of a ReplicaSet are of one generation.
  return { wanted, updated: workload.kind === "ReplicaSet" ? all : status("updatedReplicas"), available, all };
}

function numberAt(value: unknown, path: readonly string[], otherwise: number): number {
  return Number(fieldAt(value, path) ?? otherwise);
}

/** The messages of a workload and of its pods. */
function reasons(workload: KubernetesObject, pods: readonly KubernetesObject[]): readonly string[] {
  const failures = listAt(workload, ["status", "conditions"]).filter(
    (condition) => fieldAt(condition, ["type"]) === "ReplicaFailure" && fieldAt(condition, ["status"]) === "True",
  );
  const waiting = pods.flatMap((pod) => [
    ...listAt(pod, ["status", "conditions"])
      .filter(
        (condition) => fieldAt(condition, ["status"]) === "False" && fieldAt(condition, ["message"]) !== undefined,
      )
      .map((condition) => `${objectText(pod)}: ${textAt(condition, ["message"]) ?? ""}`),
    ...listAt(pod, ["status", "containerStatuses"]).flatMap((status) => {
      const [reason, message] = ["reason", "message"].map((field) => textAt(status, ["state", "waiting", field]));
      return reason === undefined ? [] : [[objectText(pod), reason, message].filter(Boolean).join(": ")];
    }),
  ]);
  return [...failures.map((condition) => textAt(condition, ["message"]) ?? ""), ...waiting].slice(0, 4);
}
