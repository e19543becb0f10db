import { looseDefinition } from "../kubernetes/looseDefinition.ts";
import { RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";

/**
 * The kinds that lifecycle-manager writes, as far as a rehearsal needs them: they take any field, and their status is no
 * resource of its own.
 */
export function rehearsedDefinitions(): readonly KubernetesObject[] {
  return [RESOURCES.kyma, RESOURCES.manifest].map((resource) => looseDefinition(resource));
}
