import { textAt } from "../../../src/document/fields.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import type { Plane } from "../../support/lifecycleManager.ts";
import { MODULE_LABEL } from "../../sync/catalogueFiles.ts";
import { pathOf } from "../../sync/outside.ts";
import { managerPath } from "./sampleModule.ts";

/** The observed state of a module on a cluster. */
export interface Seen {
  /** The state in the Kyma; `undefined`: it does not list the module, for example a mandatory one. */
  readonly state: string | undefined;
  readonly channel: string | undefined;
  readonly version: string | undefined;
  readonly message: string | undefined;
  /** The versions in Manifests: one, unless something went wrong. */
  readonly manifests: readonly string[];
  /** The version of the Deployment on the cluster; `undefined`: there is none. */
  readonly runs: string | undefined;
  /** Whether its pods are ready. lifecycle-manager reports Ready for a moment before it checks. */
  readonly isRolledOut: boolean;
}

/** An installed module in order. */
export function sound(version: string): Partial<Seen> {
  return { state: "Ready", version, manifests: [version], runs: version, isRolledOut: true };
}

/** Reads the state of a module on a cluster, as lifecycle-manager reports it and as it is. */
export async function look(cluster: Plane, kcp: Plane, module: string): Promise<Seen> {
  const kyma = await kcp.outside.must("GET", pathOf("kymas", "kcp-system", cluster.name));
  const { modules = [] } = (kyma["status"] ?? {}) as { modules?: readonly Readonly<Record<string, unknown>>[] };
  const said = modules.find(({ name }) => name === module);
  const text = (key: string): string | undefined => textAt(said, [key]);
  const labels = `${MODULE_LABEL}=${module},operator.kyma-project.io/kyma-name=${cluster.name}`;
  const manifests = await kcp.outside.must("GET", `${pathOf("manifests", "kcp-system")}?labelSelector=${labels}`);
  const manager = await cluster.outside.send("GET", managerPath(module));
  return {
    state: text("state"),
    channel: text("channel"),
    version: text("version"),
    message: text("message"),
    manifests: (manifests["items"] as readonly KubernetesObject[]).map((one) => textAt(one, ["spec", "version"]) ?? ""),
    ...(manager.status === 404 ? { runs: undefined, isRolledOut: false } : readDeployment(manager.body)),
  };
}

function readDeployment({ metadata, spec, status }: KubernetesObject): Pick<Seen, "runs" | "isRolledOut"> {
  const { template } = spec as { template: { spec: { containers: readonly { image: string }[] } } };
  const { observedGeneration, unavailableReplicas } = (status ?? {}) as Readonly<Record<string, unknown>>;
  // The API server omits a number that is 0.
  const isRolledOut = observedGeneration === metadata.generation && unavailableReplicas === undefined;
  return { runs: template.spec.containers[0]?.image.split(":")[1], isRolledOut };
}
