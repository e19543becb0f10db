import { newerFormat, UPDATE } from "../catalogue/conform.ts";
import { NO_OBSERVATIONS, parseObservations, printObservations, type Observations } from "../fleet/observations.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run } from "../ports.ts";
import { configMap, configMapRef, configMapData } from "./configMap.ts";
import { expectedObject } from "./identity.ts";

/** The ConfigMap with the controller's observations of clusters. */
export const OBSERVED_NAME = "kyma-modules-observed";

/** The observations that a namespace stores. */
export interface StoredObservations {
  readonly observations: Observations;
  /** `undefined`: nothing is stored. */
  readonly object: KubernetesObject | undefined;
}

/** The namespace that stores observations. */
export interface ObservedPlace {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
}

/** Reads observations. Throws CLUSTER_REFUSED if they cannot be parsed, CONFIGURATION for a newer format. */
export async function readObservations(
  { controlPlane, namespace }: ObservedPlace,
  run: Run,
): Promise<StoredObservations> {
  const object = await controlPlane.read(configMapRef(OBSERVED_NAME, namespace), run);
  if (object === undefined) return { observations: NO_OBSERVATIONS, object };
  const where = `ConfigMap ${OBSERVED_NAME} on ${controlPlane.server}`;
  const newer = newerFormat(Number(configMapData(object)["format"] ?? "1"));
  if (newer !== undefined) throw new Fault("CONFIGURATION", `${where} is in ${newer}. ${UPDATE}`);
  const observations = parseObservations(configMapData(object));
  if (observations !== undefined) return { observations, object };
  const remedy =
    "Restore it; or delete it, which loses the exposure and the times to Ready so far: both are counted again from zero.";
  throw new Fault("CLUSTER_REFUSED", `${where} cannot be parsed: it was edited. ${remedy}`);
}

/** Writes observations over the stored ones. Throws CLUSTER_CONFLICT if another client wrote since they were read. */
export async function writeObservations(
  observations: Observations,
  { object }: StoredObservations,
  { controlPlane, namespace }: ObservedPlace,
  run: Run,
): Promise<StoredObservations> {
  const desired = configMap(OBSERVED_NAME, namespace, { format: "1", ...printObservations(observations) });
  return { observations, object: await controlPlane.apply(desired, expectedObject(object), run) };
}
