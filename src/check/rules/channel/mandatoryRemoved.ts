import { acceptanceFor, acceptStepText } from "../../acceptance.ts";
import type { ChannelStep, Context } from "../../context.ts";
import { MODULE, type ExampleFiles } from "../../example.ts";
import { violation, type Rule, type Violation } from "../../rule.ts";
import { eachStep } from "../steps.ts";
import { accepting, MANDATORY, MUST, removedFrom } from "./kind.ts";

const ID = "mandatory-removed";
const ACCEPTED: ExampleFiles = { ...MANDATORY, [MODULE]: accepting(ID, "must", "1.1.0", "1.1.0") };

/** A mandatory module is removed only when that is accepted. */
export const mandatoryRemoved: Rule = {
  id: ID,
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A mandatory channel continues to serve a module, unless its removal is accepted.",
  rationale:
    "lifecycle-manager removes a mandatory module from every cluster within seconds. The custom resources of the users are deleted together with their definitions.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#what-a-sync-refuses",
  judge: (context) => eachStep(context, (step) => removals(context, step)),
  bad: { base: MANDATORY, change: { [MUST]: undefined }, at: { file: MUST, line: "" } },
  good: { base: ACCEPTED, change: { [MUST]: undefined } },
};

function removals(context: Context, step: ChannelStep): readonly Violation[] {
  const removed = removedFrom("mandatory", context, step);
  if (removed === undefined || acceptanceFor(context, ID, step) !== undefined) return [];
  const { module, version, file } = removed;
  const message = `${step.channel.name} would no longer serve ${module} ${version}: lifecycle-manager uninstalls a mandatory module from every cluster within seconds.`;
  const remedy = `Keep the file, or have the removal accepted: ${acceptStepText(ID, step)}.`;
  return [violation(file, [], { message, remedy }, { module, version })];
}
