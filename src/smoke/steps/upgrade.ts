import { counted } from "../../document/counted.ts";
import { objectText } from "../../kubernetes/installOrder.ts";
import type { Run } from "../../ports.ts";
import { rollOut } from "../rollOut.ts";
import { failed, type StepContext, type StepOutcome } from "../step.ts";

/** Brings the new version in place of the old one, and removes what it no longer contains. */
export async function upgrade(context: StepContext, run: Run): Promise<StepOutcome> {
  const { from, to, clock } = context;
  const startedMs = clock.elapsedMs();
  const delivered = await context.delivery.bring(to, from, context, run);
  if (delivered.kind === "trouble") return failed(delivered.trouble);
  const rolledOut = await rollOut(to.objects, context, run);
  if (rolledOut.trouble !== undefined) return failed(rolledOut.trouble);
  if (rolledOut.isIdle) return { kind: "notChecked", why: rolledOut.unchecked.join(", ") };
  return {
    kind: "passed",
    seen: { starts: { ...context.seen.starts, to: (clock.elapsedMs() - startedMs - delivered.heldMs) / 1000 } },
    notes: [
      counted(to.objects.length, "object"),
      ...delivered.removed.map((object) => `removed ${objectText(object)}`),
    ],
    unchecked: [...delivered.unchecked, ...rolledOut.unchecked],
  };
}
