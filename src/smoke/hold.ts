import type { KubernetesObject } from "../kubernetes/object.ts";
import type { Run } from "../ports.ts";
import type { ModuleContent } from "./content.ts";
import { notReady, customResourceState } from "./customResource.ts";
import type { UsedObject } from "./judge/kept.ts";
import { unrestIn } from "./judge/still.ts";
import { workloadsIn, workloadTrouble } from "./rollOut.ts";
import { firstTrouble, readLive, type StepContext, type Trouble } from "./step.ts";

/**
 * Watches for a while whether the reached state stays: workloads are available, custom resources are Ready, and nothing
 * is written. Ready at one moment is not enough evidence. Without pods nothing changes, so it does not wait.
 */
export async function holdStill(
  content: ModuleContent,
  used: readonly UsedObject[],
  context: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  if (!context.pods) return undefined;
  const { clock, limits } = context;
  const users = used.map(({ wrote }) => wrote);
  const watched = [...content.objects.filter(({ kind }) => kind !== "Lease"), ...users];
  const looks: (readonly (KubernetesObject | undefined)[])[] = [];
  const startedMs = clock.elapsedMs();
  while (clock.elapsedMs() - startedMs < limits.holdMs) {
    const trouble = await unsteady(content, users, context, run);
    if (trouble !== undefined) return { ...trouble, said: `after it was in order, ${trouble.said}` };
    looks.push(await readAll(watched, context, run));
    await clock.pause(limits.lookMs, run);
  }
  return unrestIn(looks);
}

async function unsteady(
  content: ModuleContent,
  users: readonly KubernetesObject[],
  context: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  const workloads = workloadsIn(content.objects);
  return (
    (await firstTrouble(workloads, (workload) => workloadTrouble(workload, context, run))) ??
    (await firstTrouble(customResourceState(users, content), (object) => notReady(object, context, run)))
  );
}

async function readAll(
  objects: readonly KubernetesObject[],
  { cluster }: StepContext,
  run: Run,
): Promise<readonly (KubernetesObject | undefined)[]> {
  const read = new Map<KubernetesObject, KubernetesObject | undefined>();
  await firstTrouble(objects, async (object) => {
    read.set(object, await readLive(object, cluster, run));
    return undefined;
  });
  return objects.map((object) => read.get(object));
}
