import { setOf } from "../../kubernetes/applySet.ts";
import { DESIRED_ANNOTATION, type KubernetesObject } from "../../kubernetes/object.ts";
import { managesSpec } from "../../kubernetes/ownership.ts";
import type { PlanInput } from "./input.ts";
import { appliedNames } from "./records.ts";

/**
 * Whether an object is ours. The label of the set says so. If another client removed the label, two of three have to say
 * so: our annotation, our field manager, and the records. One alone does not count: an annotation may have been copied, a
 * killed adoption leaves our field manager, and another client may have made the object again under a recorded name.
 */
export function isOurs(object: KubernetesObject, { desired, live }: Pick<PlanInput, "desired" | "live">): boolean {
  const set = setOf(object, desired.target);
  if (set !== "none") return set === "ours";
  const managed = managesSpec(object);
  // Others made it, or took it over completely.
  if (managed === false) return false;
  const { name, annotations } = object.metadata;
  const said = [managed, annotations?.[DESIRED_ANNOTATION] !== undefined, appliedNames(live.records).has(name)];
  return said.filter((one) => one === true).length >= 2;
}
