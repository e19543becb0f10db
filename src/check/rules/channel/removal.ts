import { modulePath } from "../../../catalogue/paths.ts";
import { acceptanceFor } from "../../acceptance.ts";
import type { ChannelStep, Context } from "../../context.ts";
import { MODULE, REGULAR } from "../../example.ts";
import { violation, type Rule, type Violation } from "../../rule.ts";
import { eachStep } from "../steps.ts";
import { accepting, removedFrom } from "./kind.ts";

const ACCEPTED = { [MODULE]: accepting("channel-removal", "regular", "1.0.0", "1.0.0") };

/** An entry of a release channel is removed only when that is accepted. */
export const channelRemoval: Rule = {
  id: "channel-removal",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A release channel continues to serve a module, unless its removal is accepted.",
  rationale:
    "Removing an entry puts every user of the module in that channel into Error, and lifecycle-manager forgets which version they had: it would install a lower version at once.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#what-a-sync-refuses",
  judge: (context) => eachStep(context, (step) => removals(context, step)),
  bad: { change: { [REGULAR]: undefined }, at: { file: REGULAR, line: "" } },
  good: { base: ACCEPTED, change: { [REGULAR]: undefined } },
};

function removals(context: Context, step: ChannelStep): readonly Violation[] {
  const removed = removedFrom("release", context, step);
  if (removed === undefined || acceptanceFor(context, "channel-removal", step) !== undefined) return [];
  const { channel, module } = step;
  const { version, file } = removed;
  const message = `${channel.name} would no longer serve ${module} ${version}: its users would be in Error.`;
  const remedy = `Keep the file, or have the removal accepted: accepts in ${modulePath(module)}, with refusal channel-removal and ${version} as from and to.`;
  return [violation(file, [], { message, remedy }, { module, version })];
}
