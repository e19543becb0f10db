import type { KubernetesObject, Resource } from "./object.ts";

const ANYTHING = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** How a loose definition differs from the plainest one. */
export interface LooseOptions {
  /** Whether the status is a resource of its own. */
  readonly hasStatus?: boolean;
  /** The schema of `spec`, where it is more than anything: such as one that sets what is left out. */
  readonly spec?: object;
}

/** A CustomResourceDefinition, in one version, that takes any field. */
export function looseDefinition(
  { apiVersion, kind, plural }: Resource,
  { hasStatus = false, spec = ANYTHING }: LooseOptions = {},
): KubernetesObject {
  const [group = "", name = ""] = apiVersion.split("/");
  const openAPIV3Schema = { type: "object", properties: { spec, status: ANYTHING } };
  const additionalPrinterColumns = [{ name: "State", type: "string", jsonPath: ".status.state" }];
  const version = { name, served: true, storage: true, schema: { openAPIV3Schema }, additionalPrinterColumns };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ ...version, ...(hasStatus && { subresources: { status: {} } }) }],
    },
  };
}
