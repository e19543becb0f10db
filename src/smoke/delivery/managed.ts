import { groupKindOf, isServedByPods, objectKey, objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { ManagerSite, Run, TakenCluster } from "../../ports.ts";
import { absentKind } from "../apply.ts";
import type { ModuleContent } from "../content.ts";
import { removeAll, stillThere } from "../remove.ts";
import { workloadsIn, workloadTrouble } from "../rollOut.ts";
import {
  type Delivered,
  type Delivery,
  eachOf,
  patiently,
  readLive,
  refTo,
  settle,
  type StepContext,
  type Trouble,
} from "../step.ts";
import { dropped } from "./direct.ts";
import { JoinedCluster, unreadyTrouble, wordsOf } from "./joinedCluster.ts";
import { isOwn, TOOLS } from "./managerObjects.ts";

/** Lets a lifecycle-manager bring versions to a cluster: by ModuleTemplates, a ModuleReleaseMeta and a Kyma. */
export class ManagedDelivery implements Delivery {
  readonly tools: readonly KubernetesObject[] = TOOLS;
  readonly #cluster: JoinedCluster;
  readonly #kubeconfig: TakenCluster["kubeconfig"];
  /** What it was given to bring, by `objectKey`. */
  readonly #shipped = new Set<string>();
  /** What it cannot bring there: it may come by other ways later. */
  readonly #withheld = new Map<string, KubernetesObject>();

  constructor(site: ManagerSite, { kubeconfig }: Pick<TakenCluster, "kubeconfig">) {
    this.#cluster = new JoinedCluster(site);
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
      (await eachOf(removed, (object) => settle(context, () => stillThere(object, context, run), run)));
    if (trouble !== undefined) return { kind: "trouble", trouble };
    return { kind: "delivered", heldMs: context.limits.holdMs, removed, unchecked };
  }

  /** The default CR is lifecycle-manager's to remove. */
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
    const look = async (): Promise<Trouble | undefined> => {
      if (!context.pods) await endNamespaces(objects, context, run);
      const said = await this.#cluster.saidOf(template.module, run);
      if (said.entry === undefined && said.manifest === undefined) return undefined;
      const words = wordsOf(said);
      return { ...words, said: `it was disabled, and is still there: ${words.said}` };
    };
    const left = await settle(context, look, run);
    if (left === undefined) return removeAll([...this.#withheld.values()], context, run);
    // What keeps lifecycle-manager waiting says more than that it waits.
    return (await eachOf([...users, ...objects], (object) => terminating(object, context, run))) ?? left;
  }

  leave(context: StepContext, run: Run): Promise<boolean> {
    return this.#cluster.leave(context, run);
  }

  /** What asks pods where none run, or is of a kind that the cluster lacks, would keep it from bringing the rest. */
  async #deliverable(
    { objects }: ModuleContent,
    context: StepContext,
    run: Run,
  ): Promise<{ readonly objects: readonly KubernetesObject[]; readonly unchecked: readonly string[] }> {
    const deliverable: KubernetesObject[] = [];
    const unchecked: string[] = [];
    for (const object of objects) {
      const key = objectKey(object);
      const why = this.#shipped.has(key) ? undefined : await obstacleTo(object, context, run);
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

  /** Waits until a version is Ready, and has been so for a while: Ready that was seen once is no evidence. */
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
    const trouble = await settle(patiently(context, limits.settleMs + limits.holdMs), look, run);
    if (trouble === undefined || !pods || trouble.isFinal === true) return trouble;
    return (await workloadsTrouble(content, false, context, run)) ?? trouble;
  }
}

async function obstacleTo(object: KubernetesObject, context: StepContext, run: Run): Promise<string | undefined> {
  if (!context.pods && isServedByPods(object)) return `${objectText(object)} asks pods, and nothing runs them here`;
  return absentKind(object, context, run);
}

/** What keeps workloads from being available; `isFinal`: only what more time makes no better. */
async function workloadsTrouble(
  { objects }: ModuleContent,
  isFinal: boolean,
  context: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  return eachOf(workloadsIn(objects), async (workload) => {
    const trouble = await workloadTrouble(workload, context, run);
    return isFinal && trouble?.isFinal !== true ? undefined : trouble;
  });
}

/** Why an object that is being deleted does not go. */
async function terminating(object: KubernetesObject, context: StepContext, run: Run): Promise<Trouble | undefined> {
  const trouble = await stillThere(object, context, run);
  return trouble?.said.includes("Terminating") === true ? trouble : undefined;
}

/** What Kubernetes writes of a workload that is available. */
const AVAILABLE = {
  ...{ replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1, currentReplicas: 1 },
  conditions: [
    { type: "Available", status: "True", reason: "MinimumReplicasAvailable" },
    { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" },
  ],
};

/** Says of workloads what a cluster with pods would say: lifecycle-manager waits for it. It is evidence of nothing. */
async function standInForPods(objects: readonly KubernetesObject[], { cluster }: StepContext, run: Run): Promise<void> {
  for (const workload of workloadsIn(objects)) {
    const live = await readLive(workload, cluster, run);
    const ref = live && (await refTo(workload, cluster, run));
    if (ref === undefined) continue;
    await cluster.patchStatus(ref, { ...AVAILABLE, observedGeneration: live?.metadata.generation }, run);
  }
}

/** Ends the namespaces among `objects` that are being deleted: nothing else does where no controller runs. */
async function endNamespaces(objects: readonly KubernetesObject[], { cluster }: StepContext, run: Run): Promise<void> {
  for (const object of objects.filter((one) => groupKindOf(one) === "/Namespace")) {
    const live = await readLive(object, cluster, run);
    if (live?.metadata.deletionTimestamp !== undefined) await cluster.finalize(object.metadata.name, run);
  }
}
