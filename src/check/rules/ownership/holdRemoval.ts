import type { Module } from "../../../catalogue/catalogue.ts";
import type { Hold } from "../../../catalogue/policy.ts";
import { approvalMissing, isBroken, releaseManagersApproved } from "../../authority.ts";
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

/** A hold of the base goes or weakens only with a release manager. */
export const holdRemoval: Rule = {
  id: "hold-removal",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: "A change takes a hold away, or weakens it, only with the approval of a release manager.",
  rationale:
    "Somebody held the version because it hurts clusters, and the file lies in the folder of those who would like it to move on. If they could lift the hold by themselves, it would hold nothing.",
  source: "product.md, Who may say what",
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
  return [...base.modules.values()].flatMap((module) => {
    const file = head.modules.get(module.name)?.files.holds ?? module.files.holds;
    if (file === undefined || isBroken(head, file.path)) return [];
    return liftedHolds(context, module.name).map((hold) =>
      violation(file, ["holds"], { message: messageOf(hold, module), ...approvalMissing(context) }),
    );
  });
}

function messageOf({ version, channel, reason }: Hold, { name }: Module): string {
  const where = channel === undefined ? "" : ` from ${channel}`;
  return `${name} ${version} is held${where} (${reason}), and no release manager approved that the hold goes or weakens.`;
}
