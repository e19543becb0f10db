import type { KubernetesObject, Metadata } from "../../kubernetes/object.ts";

/** An object to install, and what it is for. */
export interface PrintedManifest {
  /** For people; one line or more. */
  readonly purpose: string;
  readonly object: KubernetesObject;
}

/** The name of everything that is installed for the controller. */
export const CONTROLLER = "kyma-modules";

/** The labels by which a Service, a NetworkPolicy and a PodDisruptionBudget find the controller's pods. */
export const POD_LABELS: Readonly<Record<string, string>> = {
  "app.kubernetes.io/name": CONTROLLER,
  "app.kubernetes.io/component": "controller",
};

/** The metadata of an object that is installed. */
export function metadataOf(name: string, namespace: string, labels: Readonly<Record<string, string>> = {}): Metadata {
  return { name, namespace, labels: { "app.kubernetes.io/name": CONTROLLER, ...labels } };
}

/** A ServiceAccount whose token is mounted only into pods that ask for it. */
export function serviceAccount(metadata: Metadata): KubernetesObject {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata, automountServiceAccountToken: false };
}
