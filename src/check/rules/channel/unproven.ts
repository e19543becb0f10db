import { hotfixCommand } from "../../../catalogue/commands.ts";
import { FAST, REGULAR, templateText, type ExampleFiles } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";
import { eachArrival } from "../steps.ts";
import { wayInto } from "./wayInto.ts";

const CHANGE: ExampleFiles = { [REGULAR]: templateText("regular", "1.0.5") };

/** A following channel gets only versions that the followed one served. */
export const channelUnproven: Rule = {
  id: "channel-unproven",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A version comes into a following channel from the followed one, by a declared hot-fix, or by a withdrawal.",
  rationale:
    "Users of the slower channel rely on others having run a version before them. The first versions of a new channel are accepted as they are.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/promotion.md#write-a-policy",
  judge: (context) =>
    eachArrival(context, (arrival) => {
      if (wayInto(context, arrival) !== "unproven") return [];
      const { channel, module, to } = arrival;
      const message = `${String(channel.follows)}, which ${channel.name} follows, never served ${module} ${to.version}.`;
      const remedy = `Submit it to ${String(channel.follows)} first, or declare a hot-fix: ${hotfixCommand({ module, version: to.version, channel: channel.name })}`;
      return [inTemplate(to, ["spec", "version"], { message, remedy })];
    }),
  bad: { change: CHANGE, at: { file: REGULAR, line: "version: 1.0.5" } },
  good: { history: [{ [FAST]: templateText("fast", "1.0.5") }], change: CHANGE },
};
