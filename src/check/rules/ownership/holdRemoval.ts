import { isLift } from "../../../catalogue/holdStrength.ts";
import type { Hold } from "../../../catalogue/policy.ts";
import type { YamlFile } from "../../../document/yaml/read.ts";
import { isBroken } from "../../../document/finding.ts";
import { approvalMissing, isIn, releaseManagersApproved } from "../../authority.ts";
import type { Context } from "../../context.ts";
import { HOLDS } from "../../example.ts";
import { liftedHolds } from "../../holds.ts";
import { violation, type Rule, type Violation } from "../../rule.ts";

const HELD = `format: 1
holds:
  - version: 1.0.5
    reason: loses data on upgrade
    by: boss
    since: "2026-01-01T00:00:00Z"
  - version: 1.1.0
    channel: regular
    reason: leaks memory
    by: boss
    since: "2026-01-01T00:00:00Z"
`;

const LIFTED = `format: 1
holds:
  - version: 1.0.5
    reason: loses data on upgrade
    by: boss
    since: "2026-01-01T00:00:00Z"
`;

/** A hold of the base is removed or weakened only with the approval of a release manager. */
export const holdRemoval: Rule = {
  id: "hold-removal",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand:
    "A change removes a hold, weakens it, or adds one that ends when it begins, only with the approval of a release manager.",
  rationale:
    "A person held the version because it harms clusters, but the file is in the folder of the team that wants the version to move on. If the team could lift the hold alone, the hold would have no effect. A hold that ends when it begins lifts what a decrease by hand holds.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/holds.md#lift-a-hold",
  judge: removals,
  bad: { base: { [HOLDS]: HELD }, change: { [HOLDS]: LIFTED }, at: { file: HOLDS, line: "holds:" } },
  good: {
    base: { [HOLDS]: HELD },
    change: { [HOLDS]: LIFTED },
    people: { approvedBy: ["boss"], teams: new Map([["@sample/release-managers", ["boss"]]]) },
  },
};

function removals(context: Context): readonly Violation[] {
  const { base, head } = context;
  if (base === undefined || releaseManagersApproved(context) === true) return [];
  const names = new Set([...base.modules.keys(), ...head.modules.keys()]);
  return [...names].flatMap((name) => {
    const [before, after] = [base.modules.get(name), head.modules.get(name)];
    const file = after?.files.holds ?? before?.files.holds;
    if (file === undefined || isBroken(head, file.path)) return [];
    const lifted = liftedHolds(context, name).map(({ version, channel, reason }) => {
      const where = channel === undefined ? "" : ` from ${channel}`;
      const message = `${name} ${version} is held${where} (${reason}), and no release manager approved removing or weakening the hold.`;
      return violation(file, ["holds"], { message, ...approvalMissing(context) });
    });
    return [...lifted, ...lifts(context, file, before?.holds ?? [], after?.holds ?? [])];
  });
}

/** The entries that the change adds and that lift the effect of a decrease by hand. */
function lifts(
  context: Context,
  file: YamlFile,
  before: readonly Hold[],
  after: readonly Hold[],
): readonly Violation[] {
  return after.flatMap((hold, index) => {
    if (!isLift(hold) || isIn(hold, before)) return [];
    const message = `This entry ends when it begins: it lifts the hold of ${hold.version} by a manual decrease, and no release manager approved that.`;
    return [violation(file, ["holds", index], { message, ...approvalMissing(context) })];
  });
}
