import { isWithdrawal } from "../../../catalogue/steps.ts";
import { compareVersions } from "../../../catalogue/version.ts";
import type { Context } from "../../context.ts";
import { FAST, HOLDS, templateText, type ExampleFiles } from "../../example.ts";
import { holdsAsCount } from "../../holds.ts";
import { inTemplate, type Rule, type Violation } from "../../rule.ts";
import { eachArrival, type Arrival } from "../steps.ts";

const HELD = `format: 1
holds:
  - version: 1.1.0
    reason: leaks memory
    by: boss
    since: "2026-11-20T00:00:00Z"
`;

const BEFORE: readonly ExampleFiles[] = [{ [FAST]: templateText("fast", "1.0.0") }];
const DOWN: ExampleFiles = { [FAST]: templateText("fast", "1.0.0") };

/** A release channel goes down only by a withdrawal. */
export const versionDowngrade: Rule = {
  id: "version-downgrade",
  group: "version",
  severity: "error",
  waivable: false,
  demand: "A release channel gets no version below the highest that it ever served, except by a withdrawal.",
  rationale:
    "lifecycle-manager refuses a lower version on every cluster that has the higher one: the cluster keeps it, in Warning, and only clusters that did not upgrade yet are protected. A withdrawal makes this explicit: it goes back to the newest version that is not held, and holds every higher one.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/holds.md#withdraw-a-version",
  judge: (context) => eachArrival(context, (arrival) => downgrades(context, arrival)),
  bad: { history: BEFORE, change: DOWN, at: { file: FAST, line: "version: 1.0.0" } },
  good: { history: BEFORE, change: { ...DOWN, [HOLDS]: HELD } },
};

function downgrades(context: Context, { channel, module, to, ever }: Arrival): readonly Violation[] {
  const higher = ever.filter((version) => compareVersions(to.version, version) < 0);
  const [highest] = higher;
  if (channel.kind !== "release" || highest === undefined) return [];
  if (isWithdrawal(to.version, ever, holdsAsCount(context, module), channel.name, context.nowMs)) return [];
  const message = `${channel.name} served ${module} ${highest}: lifecycle-manager refuses ${to.version} on every cluster that has it.`;
  const back = ever.includes(to.version)
    ? "in the same change"
    : `and go back to a version that ${channel.name} served`;
  const remedy = `Release a version above ${highest}, or hold every higher version (${higher.join(", ")}) ${back}.`;
  return [inTemplate(to, ["spec", "version"], { message, remedy })];
}
