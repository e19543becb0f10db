import type { Channel } from "../../../catalogue/catalogue.ts";
import { hotfixCommand } from "../../../catalogue/commands.ts";
import { compareVersions } from "../../../catalogue/version.ts";
import type { ChannelStep, Context } from "../../context.ts";
import { FAST, REGULAR, templateText } from "../../example.ts";
import { isDeclared } from "../../hotfix.ts";
import { inTemplate, type Rule, type Violation } from "../../rule.ts";
import { eachStep } from "../steps.ts";

/** A following channel does not overtake the followed one. */
export const channelAhead: Rule = {
  id: "channel-ahead",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A following channel gets no version above what the followed one serves, except by a declared hot-fix.",
  rationale:
    "If the followed channel serves a lower version than before, a person put it back. The slower channel would get what was taken from the faster one.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/promotion.md#write-a-policy",
  judge: (context) => eachStep(context, (step) => overtaking(context, step)),
  bad: {
    history: [{ [FAST]: templateText("fast", "1.2.0") }],
    change: { [REGULAR]: templateText("regular", "1.2.0") },
    at: { file: REGULAR, line: "version: 1.2.0" },
    // What was taken back counts as held.
    also: ["channel-earned"],
  },
  good: { change: { [REGULAR]: templateText("regular", "1.1.0") } },
};

function overtaking(context: Context, step: ChannelStep): readonly Violation[] {
  const { channel, module, from, to } = step;
  if (to === undefined || to.version === from?.version) return [];
  const followed = followedChannel(context, channel);
  const ahead = followed?.templates.get(module)?.version;
  if (followed === undefined || ahead === undefined || compareVersions(to.version, ahead) <= 0) return [];
  // The rule hotfix-approval decides whether the declaration counts.
  if (isDeclared(context, step)) return [];
  const message = `${channel.name} would get ${module} ${to.version} while ${followed.name}, which it follows, serves ${ahead}.`;
  const remedy = `Bring it to ${followed.name} first, or declare a hot-fix: ${hotfixCommand({ module, version: to.version, channel: channel.name })}`;
  return [inTemplate(to, ["spec", "version"], { message, remedy })];
}

/**
 * The followed channel with the change; `undefined` for a channel that the base does not have, which is accepted as it
 * is.
 */
function followedChannel({ base, head }: Context, { name, follows }: Channel): Channel | undefined {
  return follows !== undefined && base?.channels.has(name) === true ? head.channels.get(follows) : undefined;
}
