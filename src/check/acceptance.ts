import { canonicalJson } from "../document/canonical.ts";
import type { ModuleName } from "../catalogue/names.ts";
import { acceptedSteps, type Acceptance, type AcceptedField } from "../catalogue/policy.ts";
import { entryCounts } from "./authority.ts";
import type { ChannelStep, Context } from "./context.ts";
import { isExpired } from "./waiver.ts";

/**
 * The entry of `accepts` in `modules/<module>/module.yaml` that accepts `step` despite `refusal`. The entry must count
 * and must not have expired.
 */
export function acceptanceFor(context: Context, refusal: string, step: ChannelStep): Acceptance | undefined {
  const [from, to] = [step.from?.version ?? null, step.to?.version ?? null];
  return accepted(context, refusal, step.module).find(
    (entry) =>
      entry.channel === step.channel.name &&
      acceptedSteps(entry).some(([before, after]) => before === from && after === to),
  );
}

/** A change of a field of a module; null is an unset field. */
export interface FieldChange {
  readonly module: ModuleName;
  readonly field: AcceptedField;
  readonly from: unknown;
  readonly to: unknown;
}

/** The entry of `accepts` that accepts a change of a field despite `refusal`; see `acceptanceFor`. */
export function fieldAcceptance(context: Context, refusal: string, change: FieldChange): Acceptance | undefined {
  const values = canonicalJson([change.from, change.to]);
  return accepted(context, refusal, change.module).find(
    (entry) => entry.field === change.field && canonicalJson([entry.from, entry.to]) === values,
  );
}

function accepted(context: Context, refusal: string, module: ModuleName): readonly Acceptance[] {
  const { accepts = [] } = context.head.modules.get(module)?.says ?? {};
  const inBase = context.base?.modules.get(module)?.says.accepts;
  return accepts.filter(
    (entry) => entry.refusal === refusal && !isExpired(entry, context.nowMs) && entryCounts(context, entry, inBase),
  );
}

/** How to accept a step of a channel: a clause without a full stop. */
export function acceptStepText(refusal: string, { channel, module, from, to }: ChannelStep): string {
  const [before, after] = [from?.version ?? null, to?.version ?? null];
  return acceptText(
    module,
    `refusal: ${refusal}, channel: ${channel.name}, from: ${String(before)}, to: ${String(after)}`,
  );
}

/** How to accept a change of a field: a clause without a full stop. */
export function acceptFieldText(refusal: string, { module, field, from, to }: FieldChange): string {
  return acceptText(
    module,
    `refusal: ${refusal}, field: ${field}, from: ${JSON.stringify(from)}, to: ${JSON.stringify(to)}`,
  );
}

function acceptText(module: ModuleName, entry: string): string {
  return `add { ${entry} } with reason and until to accepts in modules/${module}/module.yaml`;
}
