import type { Channel } from "../../../catalogue/catalogue.ts";
import { isHeld } from "../../../catalogue/policy.ts";
import { everServed, fitsVersions, versionLine } from "../../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../../catalogue/version.ts";
import { moduleAsCounts, type Context } from "../../context.ts";
import { BUMP, edit, FAST, REGULAR, REGULAR_POLICY, SAMPLE, templateText } from "../../example.ts";
import { holdsAsCount } from "../../holds.ts";
import { inTemplate, type Rule, type Violation } from "../../rule.ts";
import { eachArrival, type Arrival } from "../steps.ts";

const POLICY = edit(String(SAMPLE[REGULAR_POLICY]), "promotion:\n", "promotion:\n  lines: previous-first\n");

/** With `lines: previous-first`, minor lines reach the following channel one after the other. */
export const channelLines: Rule = {
  id: "channel-lines",
  group: "channel",
  severity: "error",
  waivable: true,
  demand:
    "If a follower's policy says lines: previous-first, a new minor version waits until the follower has the previous one.",
  rationale:
    "A channel serves one version at a time. A new minor version in the faster channel ends the soak of the previous one, so the slower channel would never get it.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/promotion.md#write-a-policy",
  judge: (context) => eachArrival(context, (arrival) => early(context, arrival)),
  bad: { base: { [REGULAR_POLICY]: POLICY }, change: BUMP, at: { file: FAST, line: "version: 1.2.0" } },
  good: { base: { [REGULAR_POLICY]: POLICY, [REGULAR]: templateText("regular", "1.1.0") }, change: BUMP },
};

function early(context: Context, arrival: Arrival): readonly Violation[] {
  const { channel, to, ever, module } = arrival;
  const line = versionLine(to.version, "minor");
  if (ever.some((version) => versionLine(version, "minor") === line)) return [];
  return followersInOrder(context, arrival).flatMap((follower) => {
    const awaited = previousLine(context, arrival, follower);
    if (awaited === undefined) return [];
    const previous = versionLine(awaited, "minor");
    const message = `${channel.name} would get ${module} ${line} before ${follower.name} had ${previous}.`;
    const remedy = `Wait until ${follower.name} serves ${previous}, or hold the versions of ${previous} that ${channel.name} served.`;
    return [inTemplate(to, ["spec", "version"], { message, remedy })];
  });
}

/** The followers of a channel in which the module takes one line after the other. */
function followersInOrder(context: Context, { base, channel, module }: Arrival): readonly Channel[] {
  const overrides = moduleAsCounts(context, module)?.says.policy ?? {};
  return [...base.channels.values()].filter(
    ({ name, follows, promotion }) =>
      follows === channel.name && (promotion.lines === "previous-first" || overrides[name]?.lines === "previous-first"),
  );
}

/**
 * A version of the newest earlier line that the follower could have; `undefined` if it had that line, or a later one.
 */
function previousLine(context: Context, arrival: Arrival, follower: Channel): ModuleVersion | undefined {
  const { to, ever, served, module } = arrival;
  const holds = holdsAsCount(context, module);
  const previous = ever.find(
    (version) =>
      compareVersions(version, to.version) < 0 &&
      fitsVersions(follower.versions, version) &&
      !isHeld(holds, version, follower.name, context.nowMs),
  );
  const current = context.head.channels.get(follower.name)?.templates.get(module)?.version;
  const [reached] = everServed(served.get(follower.name), current);
  if (previous === undefined || reached === undefined) return previous;
  const isThere =
    versionLine(reached, "minor") === versionLine(previous, "minor") || compareVersions(reached, previous) > 0;
  return isThere ? undefined : previous;
}
