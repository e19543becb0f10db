import { listAt, textAt } from "../../document/fields.ts";
import { objectText } from "../../kubernetes/installOrder.ts";
import { RESOURCES, type KubernetesObject } from "../../kubernetes/object.ts";
import { Fault, type ManagerTarget, type Run, type TakenCluster } from "../../ports.ts";
import type { SmokeVersion } from "../path.ts";
import { stillThere } from "../remove.ts";
import { POD } from "../rollOut.ts";
import { firstTrouble, withDeadline, settle, type StepContext, type Trouble } from "../step.ts";
import {
  accessRef,
  CHANNEL,
  clusterObjects,
  testComponentName,
  isModuleManifest,
  kymaRef,
  OWN_KYMA,
  servedObjects,
  TOOLS,
  WEBHOOK,
} from "./managerObjects.ts";

/** Time for lifecycle-manager to reach a cluster, which takes 5 to 20 seconds. Milliseconds. */
const JOIN_MS = 120_000;
/**
 * Time for lifecycle-manager to leave a cluster: about 5 seconds, and half a minute for its pods; a stuck module
 * prevents it. Milliseconds.
 */
const LEAVE_MS = 45_000;

/** A cluster that a lifecycle-manager manages. Methods throw PROCESS_FAILED if that process has ended. */
export class JoinedCluster {
  readonly #target: ManagerTarget;
  /** The name of the cluster on the control plane. */
  readonly #name: string;
  #looks = 0;

  constructor(target: ManagerTarget) {
    this.#target = target;
    this.#name = target.newName();
  }

  /** Lets lifecycle-manager manage the cluster, and waits until it has reached it. Throws CLUSTER_TIMEOUT. */
  async join(context: StepContext, kubeconfig: TakenCluster["kubeconfig"], run: Run): Promise<void> {
    for (const object of clusterObjects(this.#name, await kubeconfig())) await this.#place(object, run);
    const { cluster } = context;
    const late = await settle(
      withDeadline(context, JOIN_MS),
      async () => {
        this.#target.mustRun();
        const { apiVersion, kind } = OWN_KYMA.resource;
        const isServed = (await cluster.kindOf(apiVersion, kind, run)) !== undefined;
        if (isServed && (await cluster.read(OWN_KYMA, run)) !== undefined) return undefined;
        const kyma = await this.#target.controlPlane.read(kymaRef(this.#name), run);
        return { said: textAt(kyma, ["status", "lastOperation", "operation"]) ?? "it reports nothing", remedy: "" };
      },
      run,
    );
    if (late !== undefined)
      throw new Fault("CLUSTER_TIMEOUT", `lifecycle-manager did not reach ${cluster.server}: ${late.said}`);
  }

  /**
   * Ends the management of the cluster, and waits until nothing of lifecycle-manager is left there. Returns whether that
   * succeeded.
   */
  async leave(context: StepContext, run: Run): Promise<boolean> {
    const { controlPlane } = this.#target;
    try {
      await controlPlane.remove(kymaRef(this.#name), run);
      const trouble = await settle(
        withDeadline(context, LEAVE_MS),
        async () => {
          this.#target.mustRun();
          return (
            (await firstTrouble(TOOLS, (object) => stillThere(object, context, run))) ?? (await podLeft(context, run))
          );
        },
        run,
      );
      await controlPlane.remove(accessRef(this.#name), run);
      return trouble === undefined;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      run.log.warn(`lifecycle-manager did not clean up after itself: ${error.message}`);
      return false;
    }
  }

  /** Serves a version. Publishes its content first, since an entry must never point to something absent. */
  async serve({ version, template }: SmokeVersion, objects: readonly KubernetesObject[], run: Run): Promise<void> {
    const rawManifest = objects.map((object) => JSON.stringify(object)).join("\n---\n");
    await this.#target.publish({ name: testComponentName(template.module, this.#name), version, rawManifest });
    for (const object of servedObjects(template, this.#name)) await this.#place(object, run);
  }

  /** Enables exactly these modules, as the user of the cluster does it. */
  async enable(modules: readonly string[], { cluster }: StepContext, run: Run): Promise<void> {
    const wishes = modules.map((name) => ({ name, channel: CHANNEL }));
    const spec = { channel: CHANNEL, modules: wishes, skipMaintenanceWindows: true };
    const answer = await cluster.patch(OWN_KYMA, { spec }, { isTrial: false }, run);
    if (answer.kind === "refused") throw new Fault("CLUSTER_REFUSED", `Kyma kyma-system/default: ${answer.message}`);
  }

  /** Makes lifecycle-manager look at the cluster now; it looks at a cluster in order only every five minutes. */
  async wake(module: string, run: Run): Promise<void> {
    const { manifest } = await this.saidOf(module, run);
    const refs = [kymaRef(this.#name)];
    if (manifest !== undefined)
      refs.push({ resource: RESOURCES.manifest, namespace: kymaRef("").namespace, name: manifest.metadata.name });
    const labels = { "smoke.kyma-modules/looks": String(++this.#looks) };
    for (const ref of refs)
      await this.#target.controlPlane.patch(ref, { metadata: { labels } }, { isTrial: false }, run);
  }

  /** The status of a module of this cluster on the control plane. */
  async saidOf(module: string, run: Run): Promise<SaidOfModule> {
    const { controlPlane } = this.#target;
    this.#target.mustRun();
    const [kyma, manifests] = await Promise.all([
      controlPlane.read(kymaRef(this.#name), run),
      controlPlane.list(RESOURCES.manifest, kymaRef("").namespace, run),
    ]);
    return {
      entry: listAt(kyma, ["status", "modules"]).find((one) => textAt(one, ["name"]) === module),
      manifest: manifests.find((one) => isModuleManifest(one, module, this.#name)),
    };
  }

  async #place(object: KubernetesObject, run: Run): Promise<void> {
    const answer = await this.#target.controlPlane.apply(object, { isTrial: false }, run);
    if (answer.kind === "refused") throw new Fault("CLUSTER_REFUSED", `${objectText(object)}: ${answer.message}`);
  }
}

/** The status of a module of a cluster on the control plane. */
interface SaidOfModule {
  /** The entry in `status.modules` of the Kyma; `undefined` if there is none. */
  readonly entry: unknown;
  readonly manifest: KubernetesObject | undefined;
}

/** Why a version is not Ready; `undefined` if it is. */
export function unreadyTrouble({ entry, manifest }: SaidOfModule, version: string): Trouble | undefined {
  const isSaid = textAt(entry, ["version"]) === version && textAt(entry, ["state"]) === "Ready";
  const isDone = textAt(manifest, ["spec", "version"]) === version && textAt(manifest, ["status", "state"]) === "Ready";
  return isSaid && isDone ? undefined : managerTrouble({ entry, manifest });
}

/** The last message of lifecycle-manager about a module. */
export function managerTrouble({ entry, manifest }: SaidOfModule): Trouble {
  const state = textAt(manifest, ["status", "state"]) ?? textAt(entry, ["state"]) ?? "nothing";
  const message = textAt(manifest, ["status", "lastOperation", "operation"]) ?? textAt(entry, ["message"]);
  return {
    ...(manifest !== undefined && { object: objectText(manifest) }),
    said: `lifecycle-manager says ${state}${message === undefined ? "" : `: ${message}`}`,
    remedy: "Look at the message, and into the log of lifecycle-manager, which --report keeps.",
  };
}

/** A pod that is left: pods end some time after their Deployment, and keep their namespace until then. */
async function podLeft({ cluster }: StepContext, run: Run): Promise<Trouble | undefined> {
  const pods = await cluster.list(POD, OWN_KYMA.namespace, run);
  const own = pods.find(({ metadata: { name } }) => name.startsWith(`${WEBHOOK}-`));
  return own && { object: objectText(own), said: "it is still there", remedy: "" };
}
