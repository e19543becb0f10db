import { isWithdrawal } from "../../../catalogue/steps.ts";
import type { Context } from "../../context.ts";
import { FAST, REGULAR, templateText, type Files } from "../../example.ts";
import { holdsAsCount } from "../../holds.ts";
import { hotfixOf } from "../../hotfix.ts";
import { inTemplate, type Rule, type Violation } from "../../rule.ts";
import { eachArrival, type Arrival } from "../steps.ts";

const CHANGE: Files = { [REGULAR]: templateText("regular", "1.0.5") };

/** A following channel gets only what the followed one served. */
export const channelUnproven: Rule = {
  id: "channel-unproven",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A version comes into a following channel from the followed one, by a declared hot-fix, or by a withdrawal.",
  rationale:
    "Those who follow the slower channel rely on others having run a version before them. What a channel holds when it is founded is accepted as found.",
  source: "product.md, The repository",
  judge: (context) => eachArrival(context, (arrival) => unproven(context, arrival)),
  bad: { change: CHANGE, at: { file: REGULAR, line: "version: 1.0.5" } },
  good: { history: [{ [FAST]: templateText("fast", "1.0.5") }], change: CHANGE },
};

function unproven(context: Context, arrival: Arrival): readonly Violation[] {
  const { base, channel, module, to, served, ever } = arrival;
  const { nowMs } = context;
  const { follows } = channel;
  if (follows === undefined || !base.channels.has(channel.name)) return [];
  const inFollowed = base.channels.get(follows)?.templates.get(module)?.version === to.version;
  if (inFollowed || served.some((entry) => entry.channel === follows && entry.version === to.version)) return [];
  if (hotfixOf(context, arrival) !== undefined) return [];
  if (isWithdrawal(to.version, ever, holdsAsCount(context, module), channel.name, nowMs)) return [];
  const message = `${follows}, which ${channel.name} follows, never served ${module} ${to.version}.`;
  const remedy = `Submit it to ${follows} first, or declare a hot-fix: kyma-modules promote --hotfix ${module}@${to.version}.`;
  return [inTemplate(to, ["spec", "version"], { message, remedy })];
}
