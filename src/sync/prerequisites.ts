import { RESOURCES, type KubernetesObject, type Resource } from "../kubernetes/object.ts";
import { Fault, type Clock, type ControlPlane, type Run } from "../ports.ts";
import { expectedObject } from "./identity.ts";
import { listAll } from "./observe.ts";

const ATTEMPTS = 100;
const PAUSE_MS = 100;

/**
 * Prepares an empty control plane for a sync: the namespace and the CustomResourceDefinitions. Only the demo needs
 * this; on a real control plane lifecycle-manager installs them.
 */
export async function installPrerequisites(
  definitions: readonly KubernetesObject[],
  namespace: string,
  { controlPlane, clock }: { readonly controlPlane: ControlPlane; readonly clock: Clock },
  run: Run,
): Promise<void> {
  const objects = [{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, ...definitions];
  await Promise.all(
    objects.map(async (object) => {
      const { apiVersion, kind, metadata } = object;
      const resource: Resource = { apiVersion, kind, plural: `${kind.toLowerCase()}s` };
      const live = await controlPlane.read({ resource, namespace: "", name: metadata.name }, run);
      await controlPlane.apply(object, expectedObject(live), run);
    }),
  );
  const installed = Object.values(RESOURCES).filter(({ apiVersion, plural }) =>
    definitions.some(({ metadata }) => metadata.name === `${plural}.${apiVersion.replace(/\/.*$/, "")}`),
  );
  for (const resource of new Set([RESOURCES.moduleTemplate, RESOURCES.moduleReleaseMeta, ...installed])) {
    for (let attempt = 1; !(await isServed(resource, namespace, controlPlane, run)); attempt++) {
      if (attempt === ATTEMPTS)
        throw new Fault("CLUSTER_KIND_MISSING", `${controlPlane.server} does not serve ${resource.kind}.`);
      await clock.pause(PAUSE_MS, run);
    }
  }
}

/** The API server serves a new definition only a moment after it is stored. */
async function isServed(resource: Resource, namespace: string, controlPlane: ControlPlane, run: Run): Promise<boolean> {
  try {
    await listAll(controlPlane, resource, namespace, run);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === "CLUSTER_KIND_MISSING") return false;
    throw error;
  }
}
