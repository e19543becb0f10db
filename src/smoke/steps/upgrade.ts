import { counted } from "../../document/counted.ts";
import { objectKey, objectText } from "../../kubernetes/installOrder.ts";
import type { Run } from "../../ports.ts";
import { applyAll } from "../apply.ts";
import { removeAll } from "../remove.ts";
import { rollOut } from "../rollOut.ts";
import { failed, type StepContext, type StepOutcome } from "../step.ts";
import { ownObjects } from "./uninstall.ts";

/** Applies the new version over the old one, and removes what it no longer ships, as lifecycle-manager does. */
export async function upgrade(context: StepContext, run: Run): Promise<StepOutcome> {
  const { from, to, clock } = context;
  const startedMs = clock.elapsedMs();
  const applied = await applyAll(to.objects, context, run);
  if (applied.kind === "trouble") return failed(applied.trouble);
  const shipped = new Set(to.objects.map(objectKey));
  const before = ownObjects(from?.objects ?? [], context.seen.before);
  const dropped = before.filter((object) => !shipped.has(objectKey(object)));
  const trouble = await removeAll(dropped, context, run);
  if (trouble !== undefined) return failed(trouble);
  const rolledOut = await rollOut(to.objects, context, run);
  if (rolledOut.trouble !== undefined) return failed(rolledOut.trouble);
  return {
    kind: "passed",
    seen: { starts: { ...context.seen.starts, to: (clock.elapsedMs() - startedMs) / 1000 } },
    notes: [counted(to.objects.length, "object"), ...dropped.map((object) => `removed ${objectText(object)}`)],
    unchecked: [...applied.unchecked, ...rolledOut.unchecked],
  };
}
