import type { KubernetesObject } from "../../src/kubernetes/object.ts";

/** A Kyma with a status for certs, as lifecycle-manager writes it. */
export function certsKyma(name: string, version: string, state = "Ready", channel = "fast"): KubernetesObject {
  return {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Kyma",
    metadata: { name },
    status: { modules: [{ name: "certs", channel, version, state }] },
  };
}
