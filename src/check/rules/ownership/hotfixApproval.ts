import { HOTFIXES } from "../../example.ts";
import { declarationsOf, type Declaration } from "../../hotfix.ts";
import type { Rule } from "../../rule.ts";
import { unapproved, type EntryList } from "../../unapproved.ts";

const ENTRIES: EntryList<Declaration> = {
  key: "hotfixes",
  fileOf: ({ files }) => files.hotfixes,
  entriesOf: declarationsOf,
  messageOf: ({ version, channel }, { name }) =>
    `The hot-fix ${name} ${version} for ${channel} does not count: no release manager approved it.`,
};

const DECLARED = `format: 1
hotfixes:
  - version: 1.0.1
    channel: regular
    incident: https://github.com/sample/sample/issues/1
    by: owner
    at: "2026-01-01T00:00:00Z"
`;

/** A hot-fix that the base does not have needs a release manager. */
export const hotfixApproval: Rule = {
  id: "hotfix-approval",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: "A change declares a hot-fix only with the approval of a release manager.",
  rationale:
    "A declared hot-fix skips the soak: it reaches every cluster of a channel without having run anywhere. If a module's owners could declare one by themselves, every version in a hurry would be a hot-fix. So the entry counts once the base has it, or a release manager approved the change that adds it.",
  source: "product.md, Who may say what",
  judge: (context) => unapproved(ENTRIES, context),
  bad: { change: { [HOTFIXES]: DECLARED }, at: { file: HOTFIXES, line: "version: 1.0.1" } },
  good: {
    change: { [HOTFIXES]: DECLARED },
    people: { approvedBy: ["boss"], teams: new Map([["@sample/release-managers", ["boss"]]]) },
  },
};
