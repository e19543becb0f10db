import { interventionCommand } from "../../../catalogue/commands.ts";
import { isHeld } from "../../../catalogue/policy.ts";
import { BUMP, edit, FAST, HOLDS } from "../../example.ts";
import { holdsAsCount, unreadableHolds } from "../../holds.ts";
import { inTemplate, type Rule } from "../../rule.ts";
import { eachStep } from "../steps.ts";

const HELD = `format: 1
holds:
  - version: 1.2.0
    channel: fast
    reason: loses data on upgrade
    by: boss
    since: "2026-11-20T00:00:00Z"
`;

/** A held version enters no channel that its hold covers. */
export const channelHeld: Rule = {
  id: "channel-held",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A change brings no held version into a channel.",
  rationale: "A person found that the version harms clusters. Each channel that gets it brings it to more of them.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/holds.md#hold-a-version",
  judge: (context) =>
    eachStep(context, ({ channel, module, from, to }) => {
      if (to === undefined || to.version === from?.version) return [];
      const unreadable = unreadableHolds(context, module);
      if (unreadable !== undefined) {
        const message = `${unreadable} cannot be read, so it is unknown whether ${module} ${to.version} is held.`;
        const remedy = "Fix it first: kyma-modules check shows what is wrong.";
        return [inTemplate(to, ["spec", "version"], { message, remedy })];
      }
      const holds = holdsAsCount(context, module);
      const hold = holds.find((entry) => isHeld([entry], to.version, channel.name, context.nowMs));
      if (hold === undefined) return [];
      const message = `${module} ${to.version} is held: ${hold.reason} (${hold.by}).`;
      const command = interventionCommand("unhold", { module, version: to.version, channel: hold.channel });
      const remedy = `Bring another version, or ask ${hold.by} to lift it: ${command}`;
      return [inTemplate(to, ["spec", "version"], { message, remedy })];
    }),
  bad: { base: { [HOLDS]: HELD }, change: BUMP, at: { file: FAST, line: "version: 1.2.0" } },
  good: { base: { [HOLDS]: edit(HELD, "channel: fast", "channel: regular") }, change: BUMP },
};
