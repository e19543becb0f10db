import { RESOURCES, type KubernetesObject, type ObjectRef } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run } from "../ports.ts";
import { identityOf } from "./identity.ts";
import { NO_CONTROLS, parseControls, printControls, type Controls } from "./plan/controls.ts";

/** The ConfigMap in which people tell whoever writes to a namespace. */
export const CONTROLS_NAME = "kyma-modules-controls";

/** How often a change that others made meanwhile is made again. */
const ATTEMPTS = 5;

/** Reads what people told. Throws CLUSTER_REFUSED for what cannot be understood. */
export async function readControls(controlPlane: ControlPlane, namespace: string, run: Run): Promise<Controls> {
  return controlsIn(await controlPlane.read(refTo(namespace), run), controlPlane);
}

/** What a ConfigMap says. Throws CLUSTER_REFUSED. */
export function controlsIn(live: KubernetesObject | undefined, { server }: Pick<ControlPlane, "server">): Controls {
  if (live === undefined) return NO_CONTROLS;
  const controls = parseControls((live["data"] ?? {}) as Readonly<Record<string, string>>);
  if (controls !== undefined) return controls;
  const remedy = "Put it back, or delete it: then nothing is paused.";
  throw new Fault("CLUSTER_REFUSED", `ConfigMap ${CONTROLS_NAME} on ${server} cannot be understood. ${remedy}`);
}

/** Changes what people told, whoever changes it meanwhile. Throws CLUSTER_CONFLICT when that goes on. Gives the outcome. */
export async function changeControls(
  change: (controls: Controls) => Controls,
  { controlPlane, namespace }: { readonly controlPlane: ControlPlane; readonly namespace: string },
  run: Run,
): Promise<Controls> {
  for (let attempt = 1; ; attempt++) {
    const live = await controlPlane.read(refTo(namespace), run);
    const controls = change(controlsIn(live, controlPlane));
    const { apiVersion, kind } = RESOURCES.configMap;
    const metadata = { name: CONTROLS_NAME, namespace };
    const desired = { apiVersion, kind, metadata, data: printControls(controls) };
    try {
      await controlPlane.apply(desired, identityOf(live), run);
      return controls;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "CLUSTER_CONFLICT" || attempt === ATTEMPTS) throw error;
    }
  }
}

function refTo(namespace: string): ObjectRef {
  return { resource: RESOURCES.configMap, namespace, name: CONTROLS_NAME };
}
