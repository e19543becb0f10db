import type { Catalogue, Channel } from "../../../catalogue/catalogue.ts";
import type { ModuleName } from "../../../catalogue/names.ts";
import type { Context } from "../../context.ts";
import { edit, MODULE, SAMPLE } from "../../example.ts";

/** Whether a module goes from release channels to a mandatory one, or back. Kinds are as the base says. */
export function movesKind(context: Context, module: ModuleName): boolean {
  const { base, head } = context;
  const [before, ...more] = base === undefined ? [] : kindsOf(context, base, module);
  const [after, ...others] = kindsOf(context, head, module);
  // In channels of both kinds: that is said by another rule.
  if (before === undefined || after === undefined || more.length > 0 || others.length > 0) return false;
  return before !== after;
}

function kindsOf(context: Context, { channels }: Catalogue, module: ModuleName): readonly Channel["kind"][] {
  const serving = [...channels.values()].filter(({ templates }) => templates.has(module));
  return [...new Set(serving.map((channel) => (context.base?.channels.get(channel.name) ?? channel).kind))];
}

/** The `module.yaml` of the sample with one accepted refusal, for examples. */
export function accepting(refusal: string, channel: string, from: string, to: string): string {
  const entry = `{ refusal: ${refusal}, channel: ${channel}, from: ${from}, to: ${to}, reason: agreed with all users, until: "2100-01-01T00:00:00Z" }`;
  return edit(String(SAMPLE[MODULE]), "ocmComponentName", `accepts: [${entry}]\nocmComponentName`);
}
