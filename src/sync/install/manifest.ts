import type { KubernetesObject, Metadata } from "../../kubernetes/object.ts";

/** An object to install, and its purpose. */
export interface PrintedManifest {
  /** A comment for people; one line or more. */
  readonly purpose: string;
  readonly object: KubernetesObject;
}

/** The name of all objects of the controller. */
export const CONTROLLER = "kyma-modules";

/** The labels by which a Service, a NetworkPolicy and a PodDisruptionBudget find the controller's pods. */
export const POD_LABELS: Readonly<Record<string, string>> = {
  "app.kubernetes.io/name": CONTROLLER,
  "app.kubernetes.io/component": "controller",
};

/** The metadata of an installed object. */
export function ownMetadata(name: string, namespace: string, labels: Readonly<Record<string, string>> = {}): Metadata {
  return { name, namespace, labels: { "app.kubernetes.io/name": CONTROLLER, ...labels } };
}

/** A ServiceAccount whose token is mounted only into pods that ask for it. */
export function serviceAccount(metadata: Metadata): KubernetesObject {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata, automountServiceAccountToken: false };
}
