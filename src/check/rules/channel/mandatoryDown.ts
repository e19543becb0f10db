import { compareVersions } from "../../../catalogue/version.ts";
import { templateText } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";
import { eachArrival } from "../steps.ts";
import { MANDATORY, MUST } from "./kind.ts";

/** A mandatory channel never gets a lower version. */
export const channelMandatoryDown: Rule = {
  id: "channel-mandatory-down",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A mandatory channel gets no version below the highest that it ever served.",
  rationale:
    "lifecycle-manager does not refuse a lower version of a mandatory module: it installs it at once, on every cluster. What the older version cannot read is broken everywhere.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#what-a-sync-refuses",
  judge: (context) =>
    eachArrival(context, ({ channel, module, to, ever: [highest] }) => {
      if (channel.kind !== "mandatory" || highest === undefined) return [];
      if (compareVersions(to.version, highest) >= 0) return [];
      const message = `${channel.name} served ${module} ${highest}: lifecycle-manager would install ${to.version} at once on every cluster.`;
      const remedy = `Release a version above ${highest}. To stop the roll-out of ${highest}, hold it.`;
      return [inTemplate(to, ["spec", "version"], { message, remedy })];
    }),
  bad: {
    base: MANDATORY,
    change: { [MUST]: templateText("must", "1.0.0") },
    at: { file: MUST, line: "version: 1.0.0" },
  },
  good: { base: MANDATORY, change: { [MUST]: templateText("must", "1.2.0") } },
};
