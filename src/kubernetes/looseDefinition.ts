import type { KubernetesObject, Resource } from "./object.ts";

const ANYTHING = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

interface LooseOptions {
  /** Whether it has the subresource `status`. */
  readonly hasStatus?: boolean;
  /** The schema of `spec`; by default one that accepts anything. It can set defaults, for example. */
  readonly spec?: object;
}

/** A CustomResourceDefinition, with one version, that accepts any field. */
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
