import type { Run } from "../ports.ts";
import type { ModuleContent } from "./content.ts";
import { workloadPods } from "./judge/pods.ts";
import { POD, workloadsIn } from "./rollOut.ts";
import { withDeadline, settle, type StepContext, type Trouble } from "./step.ts";

/** A kubelet measures its pods every ten to fifteen seconds. Milliseconds. */
const LATE_MS = 15_000;

/**
 * The memory that the pods of a version use together: their working sets, in bytes. `undefined` if that of one is
 * unknown.
 */
export async function managerMemory(
  { objects }: ModuleContent,
  context: StepContext,
  run: Run,
): Promise<number | undefined> {
  if (!context.pods || workloadsIn(objects).length === 0) return undefined;
  const { cluster } = context;
  let sum: number | undefined;
  const look = async (): Promise<Trouble | undefined> => {
    const [all, used] = await Promise.all([cluster.list(POD, undefined, run), cluster.podMemory(run)]);
    if (used === undefined) return undefined;
    const own = new Set(workloadsIn(objects).flatMap((workload) => workloadPods(workload, all)));
    const sizes = [...own].map(({ metadata: { namespace = "", name } }) => used.get(`${namespace}/${name}`) ?? 0);
    if (sizes.length > 0 && !sizes.includes(0)) sum = sizes.reduce((a, b) => a + b);
    return sum === undefined ? { said: "its node does not report a pod yet", remedy: "" } : undefined;
  };
  await settle(withDeadline(context, LATE_MS), look, run);
  return sum;
}
