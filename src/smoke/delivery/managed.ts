import { objectGroupKind, isServedByPods, objectKey, objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { ManagerTarget, Run, TakenCluster } from "../../ports.ts";
import { absentKind } from "../apply.ts";
import type { ModuleContent } from "../content.ts";
import { removeAll, stillThere } from "../remove.ts";
import { workloadsIn, workloadTrouble } from "../rollOut.ts";
import {
  type Delivered,
  type Delivery,
  firstTrouble,
  withDeadline,
  readLive,
  refTo,
  settle,
  type StepContext,
  type Trouble,
} from "../step.ts";
import { dropped } from "./direct.ts";
import { JoinedCluster, unreadyTrouble, managerTrouble } from "./joinedCluster.ts";
import { isOwn, TOOLS } from "./managerObjects.ts";

/** Lets a lifecycle-manager bring versions to a cluster: by ModuleTemplates, a ModuleReleaseMeta and a Kyma. */
export class ManagedDelivery implements Delivery {
  readonly tools: readonly KubernetesObject[] = TOOLS;
  readonly #cluster: JoinedCluster;
  readonly #kubeconfig: TakenCluster["kubeconfig"];
  /** Objects that it was given to deliver, by `objectKey`. */
  readonly #shipped = new Set<string>();
  /** Objects that it cannot deliver; they may come in other ways later. */
  readonly #withheld = new Map<string, KubernetesObject>();

  constructor(target: ManagerTarget, { kubeconfig }: Pick<TakenCluster, "kubeconfig">) {
    this.#cluster = new JoinedCluster(target);
    this.#kubeconfig = kubeconfig;
  }

  isTool(object: KubernetesObject): boolean {
    return isOwn(object) && !this.#shipped.has(objectKey(object));
  }

  join(context: StepContext, run: Run): Promise<void> {
    return this.#cluster.join(context, this.#kubeconfig, run);
  }

  async bring(
    content: ModuleContent,
    before: ModuleContent | undefined,
    context: StepContext,
    run: Run,
  ): Promise<Delivered> {
    const { objects, unchecked } = await this.#deliverable(content, context, run);
    const { module } = content.version.template;
    await this.#cluster.serve(content.version, objects, run);
    if (before === undefined) await this.#cluster.enable([module], context, run);
    await this.#cluster.wake(module, run);
    const removed = dropped(content, before, context.seen.before);
    const trouble =
      (await this.#readyTrouble({ ...content, objects }, context, run)) ??
      (await firstTrouble(removed, (object) => settle(context, () => stillThere(object, context, run), run)));
    if (trouble !== undefined) return { kind: "trouble", trouble };
    return { kind: "delivered", heldMs: context.limits.holdMs, removed, unchecked };
  }

  /** Leaves the removal of the default CR to lifecycle-manager. */
  async takeAway(
    { version: { template }, objects, defaultCr }: ModuleContent,
    users: readonly KubernetesObject[],
    context: StepContext,
    run: Run,
  ): Promise<Trouble | undefined> {
    const own = users.filter((object) => defaultCr === undefined || objectKey(object) !== objectKey(defaultCr));
    const trouble = await removeAll(own, context, run);
    if (trouble !== undefined) return trouble;
    await this.#cluster.enable([], context, run);
    await this.#cluster.wake(template.module, run);
    const left = await settle(
      context,
      async () => {
        if (!context.pods) await endNamespaces(objects, context, run);
        const said = await this.#cluster.saidOf(template.module, run);
        if (said.entry === undefined && said.manifest === undefined) return undefined;
        const words = managerTrouble(said);
        return { ...words, said: `it was disabled, and is still there: ${words.said}` };
      },
      run,
    );
    if (left === undefined) return removeAll([...this.#withheld.values()], context, run);
    // The object that lifecycle-manager waits for says more than that it waits.
    const stuck = await firstTrouble([...users, ...objects], async (object) => {
      const there = await stillThere(object, context, run);
      return there?.said.includes("Terminating") === true ? there : undefined;
    });
    return stuck ?? left;
  }

  leave(context: StepContext, run: Run): Promise<boolean> {
    return this.#cluster.leave(context, run);
  }

  /**
   * Selects the objects that lifecycle-manager can deliver. Webhooks without pods, and objects of kinds that the
   * cluster lacks, would keep it from delivering the rest.
   */
  async #deliverable(
    { objects }: ModuleContent,
    context: StepContext,
    run: Run,
  ): Promise<{ readonly objects: readonly KubernetesObject[]; readonly unchecked: readonly string[] }> {
    const deliverable: KubernetesObject[] = [];
    const unchecked: string[] = [];
    for (const object of objects) {
      const key = objectKey(object);
      const why = this.#shipped.has(key) ? undefined : await blockerTo(object, context, run);
      if (why === undefined) {
        deliverable.push(object);
        this.#shipped.add(key);
      } else {
        unchecked.push(why);
        this.#withheld.set(key, object);
      }
    }
    return { objects: deliverable, unchecked };
  }

  /** Waits until a version has been Ready for a while: Ready at one moment is not enough evidence. */
  async #readyTrouble(content: ModuleContent, context: StepContext, run: Run): Promise<Trouble | undefined> {
    const { clock, limits, pods } = context;
    const { version, template } = content.version;
    let sinceMs: number | undefined;
    const look = async (): Promise<Trouble | undefined> => {
      const broken = pods ? await workloadsTrouble(content, true, context, run) : undefined;
      if (broken !== undefined) return broken;
      if (!pods) await standInForPods(content.objects, context, run);
      const trouble = unreadyTrouble(await this.#cluster.saidOf(template.module, run), version);
      sinceMs = trouble === undefined ? (sinceMs ?? clock.elapsedMs()) : undefined;
      if (sinceMs !== undefined && clock.elapsedMs() - sinceMs >= limits.holdMs) return undefined;
      return trouble ?? { said: "it did not stay Ready", remedy: "Look at what changes on the cluster." };
    };
    const trouble = await settle(withDeadline(context, limits.settleMs + limits.holdMs), look, run);
    if (trouble === undefined || !pods || trouble.isFinal === true) return trouble;
    return (await workloadsTrouble(content, false, context, run)) ?? trouble;
  }
}

async function blockerTo(object: KubernetesObject, context: StepContext, run: Run): Promise<string | undefined> {
  if (!context.pods && isServedByPods(object)) return `${objectText(object)} calls pods, and nothing runs them here`;
  return absentKind(object, context, run);
}

/** Why workloads are not available; `isFinal`: only reasons that more time does not remove. */
async function workloadsTrouble(
  { objects }: ModuleContent,
  isFinal: boolean,
  context: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  return firstTrouble(workloadsIn(objects), async (workload) => {
    const trouble = await workloadTrouble(workload, context, run);
    return isFinal && trouble?.isFinal !== true ? undefined : trouble;
  });
}

/** The status of a workload that is available. */
const AVAILABLE = {
  ...{ replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1, currentReplicas: 1 },
  conditions: [
    { type: "Available", status: "True", reason: "MinimumReplicasAvailable" },
    { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" },
  ],
};

/**
 * Writes the status that a cluster with pods would write for workloads, since lifecycle-manager waits for it. It is not
 * evidence.
 */
async function standInForPods(objects: readonly KubernetesObject[], { cluster }: StepContext, run: Run): Promise<void> {
  for (const workload of workloadsIn(objects)) {
    const live = await readLive(workload, cluster, run);
    const ref = live && (await refTo(workload, cluster, run));
    if (ref === undefined) continue;
    await cluster.patchStatus(ref, { ...AVAILABLE, observedGeneration: live?.metadata.generation }, run);
  }
}

/** Finalizes the namespaces among `objects` that are being deleted: nothing else does it where no controller runs. */
async function endNamespaces(objects: readonly KubernetesObject[], { cluster }: StepContext, run: Run): Promise<void> {
  for (const object of objects.filter((one) => objectGroupKind(one) === "/Namespace")) {
    const live = await readLive(object, cluster, run);
    if (live?.metadata.deletionTimestamp !== undefined) await cluster.finalize(object.metadata.name, run);
  }
}
