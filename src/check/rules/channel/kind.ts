import type { Catalogue, Channel } from "../../../catalogue/catalogue.ts";
import type { ModuleName } from "../../../catalogue/names.ts";
import type { AcceptedField } from "../../../catalogue/policy.ts";
import type { Template } from "../../../catalogue/template.ts";
import type { ChannelStep, Context } from "../../context.ts";
import { edit, FAST, MODULE, REGULAR, SAMPLE, templateText, type ExampleFiles } from "../../example.ts";

/** Whether a module moves from release channels to a mandatory one, or back. Kinds are read from the base. */
export function movesKind(context: Context, module: ModuleName): boolean {
  const { base, head } = context;
  const [before, ...more] = base === undefined ? [] : channelKinds(context, base, module);
  const [after, ...others] = channelKinds(context, head, module);
  // Another rule reports a module in channels of both kinds.
  if (before === undefined || after === undefined || more.length > 0 || others.length > 0) return false;
  return before !== after;
}

function channelKinds(context: Context, { channels }: Catalogue, module: ModuleName): readonly Channel["kind"][] {
  const serving = [...channels.values()].filter(({ templates }) => templates.has(module));
  return [...new Set(serving.map((channel) => (context.base?.channels.get(channel.name) ?? channel).kind))];
}

/**
 * The template that a channel of `kind` would no longer serve; `undefined` if the module moves to a channel of the
 * other kind.
 */
export function removedFrom(kind: Channel["kind"], context: Context, step: ChannelStep): Template | undefined {
  const { channel, module, from, to } = step;
  return channel.kind !== kind || to !== undefined || movesKind(context, module) ? undefined : from;
}

/** The entry of a mandatory channel, for examples. */
export const MUST = "channels/must/sample.yaml";

/** The policy of that channel. */
export const MUST_POLICY: ExampleFiles = { "channels/must.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n" };

/** The sample with `sample` as a mandatory module. */
export const MANDATORY: ExampleFiles = {
  ...MUST_POLICY,
  [FAST]: undefined,
  [REGULAR]: undefined,
  [MUST]: templateText("must", "1.1.0"),
};

/** The `module.yaml` of the sample with one accepted refusal, for examples. */
export function accepting(refusal: string, channel: string, from: string, to: string): string {
  return withAccepted(`refusal: ${refusal}, channel: ${channel}, from: ${from}, to: ${to}`);
}

/** The same with an accepted change of a field; null is an unset field. */
export function acceptingField(refusal: string, field: AcceptedField, from: unknown, to: unknown): string {
  return withAccepted(`refusal: ${refusal}, field: ${field}, from: ${JSON.stringify(from)}, to: ${JSON.stringify(to)}`);
}

function withAccepted(entry: string): string {
  const whole = `{ ${entry}, reason: agreed with all users, until: "2100-01-01T00:00:00Z" }`;
  return edit(String(SAMPLE[MODULE]), "ocmComponentName", `accepts: [${whole}]\nocmComponentName`);
}
