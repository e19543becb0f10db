import type { Catalogue } from "../catalogue/catalogue.ts";
import { compile, type Target } from "../catalogue/compile.ts";
import type { Run } from "../ports.ts";
import { gatherKnown, gatherReferences, observe, type PlanWorld } from "./gather.ts";
import { plan } from "./plan.ts";
import type { Plan, PlanInput, PlanOptions } from "./planItem.ts";

/** A plan, and all that it was decided on: what has to be asked again when one object moves. */
export interface Prepared {
  readonly plan: Plan;
  readonly input: PlanInput;
}

/** Plans one landscape: asks the control plane what it holds, and decides. Writes nothing. */
export async function prepare(
  catalogue: Catalogue,
  target: Target,
  options: PlanOptions,
  world: PlanWorld,
  run: Run,
): Promise<Prepared> {
  const desired = compile(catalogue, target);
  const live = await observe(world.controlPlane, target.namespace, run);
  const references = await gatherReferences(desired, live, world.controlPlane, run);
  const known = await gatherKnown(catalogue, desired, live, world.history, run);
  const input: PlanInput = { desired, known, live, references, options };
  return { plan: plan(input), input };
}
