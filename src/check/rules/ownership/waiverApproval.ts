import type { Waiver } from "../../../catalogue/policy.ts";
import { BUMP, edit, MODULE, SAMPLE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { unapproved, type EntryList } from "../../unapproved.ts";

const WAIVERS: EntryList<Waiver> = {
  key: "waivers",
  fileOf: ({ files }) => files.module,
  entriesOf: ({ says }) => says.waivers ?? [],
  messageOf: ({ rule, version }, { name }) =>
    `The waiver of ${rule} for ${name} ${version} does not count: no release manager approved it.`,
};

const WAIVED = edit(
  String(SAMPLE[MODULE]),
  "ocmComponentName",
  `waivers:
  - rule: image-mutable-tag
    version: 1.2.0
    reason: the tag is immutable in this registry
    until: "2100-01-01T00:00:00Z"
ocmComponentName`,
);

/** A waiver that the base does not have needs the approval of a release manager. */
export const waiverApproval: Rule = {
  id: "waiver-approval",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: "A change adds a waiver only with the approval of a release manager.",
  rationale:
    "A module's folder belongs to its owners. If they could waive a rule alone, the rule would have no effect. So a waiver counts only if the base has it, or a release manager approved the change that adds it.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#waive-a-rule",
  judge: (context) => unapproved(WAIVERS, context),
  bad: { change: { ...BUMP, [MODULE]: WAIVED }, at: { file: MODULE, line: "rule: image-mutable-tag" } },
  good: {
    change: { ...BUMP, [MODULE]: WAIVED },
    people: { approvedBy: ["boss"], teams: new Map([["@sample/release-managers", ["boss"]]]) },
  },
};
