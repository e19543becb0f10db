import { looseDefinition } from "../kubernetes/looseDefinition.ts";
import { RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";

/**
 * The kinds that lifecycle-manager writes, as simple as a rehearsal needs them: they accept any field and have no status
 * subresource.
 */
export function rehearsedDefinitions(): readonly KubernetesObject[] {
  return [RESOURCES.kyma, RESOURCES.manifest].map((resource) => looseDefinition(resource));
}
