import type { Acceptance } from "../catalogue/policy.ts";
import { entryCounts } from "./authority.ts";
import type { Context, Step } from "./context.ts";
import { isExpired } from "./waiver.ts";

/**
 * The entry of `accepts` by which `step` is taken although `refusal` refuses it: one of `modules/<module>/module.yaml`
 * that has not expired and counts. A step that removes or adds an entry has one version: it is both `from` and `to`.
 */
export function acceptanceOf(context: Context, refusal: string, step: Step): Acceptance | undefined {
  const { accepts = [] } = context.head.modules.get(step.module)?.says ?? {};
  const inBase = context.base?.modules.get(step.module)?.says.accepts;
  const from = step.from ?? step.to;
  const to = step.to ?? step.from;
  return accepts.find(
    (accepted) =>
      accepted.refusal === refusal &&
      accepted.channel === step.channel.name &&
      accepted.from === from?.version &&
      accepted.to === to?.version &&
      !isExpired(accepted, context.nowMs) &&
      entryCounts(context, accepted, inBase),
  );
}
