import type { KubernetesObject } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run } from "../ports.ts";
import { configMap, configMapRef, configMapData } from "./configMap.ts";
import { expectedObject } from "./identity.ts";
import { NO_CONTROLS, parseControls, printControls, type Controls } from "./plan/controls.ts";

/** The ConfigMap with the pauses, resumes and requests of a namespace. */
export const CONTROLS_NAME = "kyma-modules-controls";

/** Attempts to write a change when other clients write at the same time. */
const ATTEMPTS = 5;

/** Reads the controls of a namespace. Throws CLUSTER_REFUSED if they cannot be parsed. */
export async function readControls(controlPlane: ControlPlane, namespace: string, run: Run): Promise<Controls> {
  return controlsIn(await controlPlane.read(configMapRef(CONTROLS_NAME, namespace), run), controlPlane);
}

/** The controls in a ConfigMap. Throws CLUSTER_REFUSED if they cannot be parsed. */
export function controlsIn(live: KubernetesObject | undefined, { server }: Pick<ControlPlane, "server">): Controls {
  if (live === undefined) return NO_CONTROLS;
  const controls = parseControls(configMapData(live));
  if (controls !== undefined) return controls;
  const remedy =
    "Restore it; or delete it, which loses every pause and request: set them again with sync pause and sync.";
  throw new Fault("CLUSTER_REFUSED", `ConfigMap ${CONTROLS_NAME} on ${server} cannot be parsed. ${remedy}`);
}

/** Changes the controls and returns them. Retries when others write at the same time; then throws CLUSTER_CONFLICT. */
export async function changeControls(
  change: (controls: Controls) => Controls,
  { controlPlane, namespace }: { readonly controlPlane: ControlPlane; readonly namespace: string },
  run: Run,
): Promise<Controls> {
  for (let attempt = 1; ; attempt++) {
    const live = await controlPlane.read(configMapRef(CONTROLS_NAME, namespace), run);
    const controls = change(controlsIn(live, controlPlane));
    const desired = configMap(CONTROLS_NAME, namespace, printControls(controls));
    try {
      await controlPlane.apply(desired, expectedObject(live), run);
      return controls;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "CLUSTER_CONFLICT" || attempt === ATTEMPTS) throw error;
    }
  }
}
