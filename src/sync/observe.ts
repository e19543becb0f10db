import { applySetParent } from "../kubernetes/applySet.ts";
import { RESOURCES, type KubernetesObject, type Resource } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run } from "../ports.ts";
import { Fleet } from "../fleet/fleet.ts";
import type { Users } from "../fleet/users.ts";
import { configMapRef } from "./configMap.ts";
import { readControls } from "./controlStore.ts";
import type { Controls } from "./plan/controls.ts";
import type { LiveState } from "./plan/input.ts";
import { readRecords, type StoredRecords } from "./recordStore.ts";

/** The state of a control plane, with its records and controls. */
export interface Observed {
  readonly live: LiveState;
  readonly stored: StoredRecords;
  readonly controls: Controls;
}

/**
 * Reads the state of a control plane: one paged LIST per kind, and a GET of the set's parent, of the records and of the
 * controls. Throws CLUSTER_REFUSED if the namespace does not exist, or is being deleted.
 */
export async function observe(controlPlane: ControlPlane, namespace: string, run: Run): Promise<Observed> {
  const name = applySetParent(namespace).metadata.name;
  const [parent, stored, controls, templates, releaseMetas] = await Promise.all([
    controlPlane.read(configMapRef(name, namespace), run),
    readRecords(controlPlane, namespace, run),
    readControls(controlPlane, namespace, run),
    listAll(controlPlane, RESOURCES.moduleTemplate, namespace, run),
    listAll(controlPlane, RESOURCES.moduleReleaseMeta, namespace, run),
  ]);
  if (parent === undefined) await refuseNowhere(controlPlane, namespace, run);
  return { live: { parent, templates, releaseMetas, records: stored.records, owner: stored.owner }, stored, controls };
}

/**
 * A missing namespace looks like an empty one, and one that is being deleted becomes empty. Throws CLUSTER_REFUSED for
 * both; skipped without the right to read it.
 */
async function refuseNowhere(controlPlane: ControlPlane, namespace: string, run: Run): Promise<void> {
  const resource: Resource = { apiVersion: "v1", kind: "Namespace", plural: "namespaces" };
  try {
    const found = await controlPlane.read({ resource, namespace: "", name: namespace }, run);
    const since = found?.metadata.deletionTimestamp;
    if (found !== undefined && since === undefined) return;
    const why =
      since === undefined
        ? `has no namespace ${namespace}. Create it, or correct kyma-modules.yaml.`
        : `is deleting the namespace ${namespace}, since ${since}. Wait until it is gone, and create it again.`;
    throw new Fault("CLUSTER_REFUSED", `${controlPlane.server} ${why}`);
  } catch (error) {
    if (!(error instanceof Fault && error.code === "CLUSTER_FORBIDDEN")) throw error;
  }
}

/** Lists all objects of a kind. Throws CLUSTER_KIND_MISSING if the control plane does not know the kind. */
export async function listAll(
  controlPlane: ControlPlane,
  resource: Resource,
  namespace: string,
  run: Run,
): Promise<readonly KubernetesObject[]> {
  const pages = await Array.fromAsync(controlPlane.list(resource, namespace, run));
  return pages.flatMap(({ objects }) => objects);
}

/**
 * Reads the users of all modules. A kind counts as empty only if discovery knows no version of it: a 404 alone may come
 * from a gateway, or from a version that is no longer served.
 */
export async function readUsers(controlPlane: ControlPlane, namespace: string, run: Run): Promise<Users> {
  const fleet = new Fleet();
  try {
    await eachObject(controlPlane, RESOURCES.kyma, namespace, run, (kyma) => {
      fleet.setKyma(kyma);
    });
    await eachObject(controlPlane, RESOURCES.manifest, namespace, run, (manifest) => {
      fleet.setManifest(manifest);
    });
  } catch (error) {
    if (!(error instanceof Fault) || !leavesUsersOpen(error)) throw error;
    return { kind: "unknown", because: error.message };
  }
  return fleet.users();
}

/** Whether a fault only makes the users unknown, so that everything else can continue. */
export function leavesUsersOpen({ code }: Fault): boolean {
  return code === "CLUSTER_FORBIDDEN" || code === "CLUSTER_KIND_MISSING";
}

async function eachObject(
  controlPlane: ControlPlane,
  resource: Resource,
  namespace: string,
  run: Run,
  visit: (object: KubernetesObject) => void,
): Promise<void> {
  try {
    for await (const { objects } of controlPlane.list(resource, namespace, run)) objects.forEach(visit);
  } catch (error) {
    if (!(error instanceof Fault && error.code === "CLUSTER_KIND_MISSING")) throw error;
    if (await controlPlane.knows(resource, run)) throw error;
  }
}
