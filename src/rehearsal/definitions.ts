import { RESOURCES, type KubernetesObject, type Resource } from "../kubernetes/object.ts";

const ANYTHING = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/**
 * The kinds that lifecycle-manager writes, as far as a rehearsal needs them: they take any field, and their status is no
 * resource of its own.
 */
export function rehearsedDefinitions(): readonly KubernetesObject[] {
  return [RESOURCES.kyma, RESOURCES.manifest].map(definitionOf);
}

function definitionOf({ apiVersion, kind, plural }: Resource): KubernetesObject {
  const [group = "", name = ""] = apiVersion.split("/");
  const openAPIV3Schema = { type: "object", properties: { spec: ANYTHING, status: ANYTHING } };
  const additionalPrinterColumns = [{ name: "State", type: "string", jsonPath: ".status.state" }];
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ name, served: true, storage: true, schema: { openAPIV3Schema }, additionalPrinterColumns }],
    },
  };
}
