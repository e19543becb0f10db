import { newerFormat, UPDATE } from "../catalogue/conform.ts";
import { fieldAt, textAt } from "../document/fields.ts";
import { NO_OBSERVATIONS, parseObservations, printObservations, type Observations } from "../fleet/observations.ts";
import { RESOURCES, type KubernetesObject, type ObjectRef } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run } from "../ports.ts";
import { identityOf } from "./identity.ts";

/** The ConfigMap in which the controller keeps what it observed of clusters. */
export const OBSERVED_NAME = "kyma-modules-observed";

/** Observations as they lie in a namespace. */
export interface StoredObservations {
  readonly observations: Observations;
  /** `undefined`: nothing was ever observed. */
  readonly object: KubernetesObject | undefined;
}

/** Where observations lie. */
export interface ObservedPlace {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
}

/** Reads what was observed. Throws CLUSTER_REFUSED for what cannot be understood, CONFIGURATION for a newer format. */
export async function readObservations(
  { controlPlane, namespace }: ObservedPlace,
  run: Run,
): Promise<StoredObservations> {
  const object = await controlPlane.read(refTo(namespace), run);
  if (object === undefined) return { observations: NO_OBSERVATIONS, object };
  const where = `ConfigMap ${OBSERVED_NAME} on ${controlPlane.server}`;
  const newer = newerFormat(Number(textAt(object, ["data", "format"]) ?? "1"));
  if (newer !== undefined) throw new Fault("CONFIGURATION", `${where} is in ${newer}. ${UPDATE}`);
  const observations = parseObservations(fieldAt(object, ["data"]));
  if (observations !== undefined) return { observations, object };
  const remedy = "Put it back, or delete it: then exposure is counted anew.";
  throw new Fault("CLUSTER_REFUSED", `${where} is not what was recorded there: it was edited. ${remedy}`);
}

/** Writes what was observed, over exactly what was read. Throws CLUSTER_CONFLICT where someone else wrote meanwhile. */
export async function writeObservations(
  observations: Observations,
  { object }: StoredObservations,
  { controlPlane, namespace }: ObservedPlace,
  run: Run,
): Promise<StoredObservations> {
  const { apiVersion, kind } = RESOURCES.configMap;
  const metadata = { name: OBSERVED_NAME, namespace };
  const desired = { apiVersion, kind, metadata, data: { format: "1", ...printObservations(observations) } };
  return { observations, object: await controlPlane.apply(desired, identityOf(object), run) };
}

function refTo(namespace: string): ObjectRef {
  return { resource: RESOURCES.configMap, namespace, name: OBSERVED_NAME };
}
