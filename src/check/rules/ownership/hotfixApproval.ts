import { isBroken } from "../../../document/finding.ts";
import { approvalMissing, approvalNeeded, releaseManagersApproved } from "../../authority.ts";
import type { Context } from "../../context.ts";
import type { Hotfix } from "../../../catalogue/policy.ts";
import { HOTFIXES } from "../../example.ts";
import { moduleDeclarations, declares, type Declaration } from "../../hotfix.ts";
import { violation, type Rule, type Violation } from "../../rule.ts";
import { unapproved, type EntryList } from "../../unapproved.ts";

const ENTRIES: EntryList<Declaration> = {
  key: "hotfixes",
  fileOf: ({ files }) => files.hotfixes,
  entriesOf: moduleDeclarations,
  messageOf: ({ version, channel }, { name }) =>
    `${name} ${version} is declared as a hot-fix for ${channel}, which counts once a release manager approves it.`,
  // No other rule refuses the version then, so the approval must be known.
  missingOf: (declaration, { name }, context) =>
    context.steps.some((step) => step.module === name && declares(declaration, step))
      ? { remedy: approvalNeeded(context) }
      : undefined,
};

const DECLARED = `format: 1
hotfixes:
  - version: 1.0.1
    channel: regular
    incident: https://github.com/sample/sample/issues/1
    by: owner
    at: "2026-01-01T00:00:00Z"
`;

/** A hot-fix is added, changed or removed only with the approval of a release manager. */
export const hotfixApproval: Rule = {
  id: "hotfix-approval",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: "A change declares, changes or removes a hot-fix only with the approval of a release manager.",
  rationale:
    "A declared hot-fix skips the soak: it reaches every cluster of a channel without having run anywhere. If a module's owners could declare one alone, every urgent version would be a hot-fix. So the entry counts only if the base has it, or a release manager approved the change that adds it. While the entry exists, no version is promoted that would undo the fix. This protection ends if the entry is removed, or says that another version contains the fix.",
  source:
    "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/holds.md#bring-a-repair-to-a-channel-at-once",
  judge: (context) => [...unapproved(ENTRIES, context), ...removed(context)],
  bad: { change: { [HOTFIXES]: DECLARED }, at: { file: HOTFIXES, line: "version: 1.0.1" } },
  good: {
    change: { [HOTFIXES]: DECLARED },
    people: { approvedBy: ["boss"], teams: new Map([["@sample/release-managers", ["boss"]]]) },
  },
};

/** The hot-fixes and debts of the base that the change removes. A file that cannot be read is skipped. */
function removed(context: Context): readonly Violation[] {
  const { base, head } = context;
  if (base === undefined || releaseManagersApproved(context) === true) return [];
  return [...base.modules.values()].flatMap(({ name, hotfixes, files }) => {
    const after = head.modules.get(name);
    const file = after?.files.hotfixes ?? files.hotfixes;
    if (file === undefined || isBroken(head, file.path)) return [];
    return hotfixes.flatMap((hotfix) => {
      const lost = lostDemand(hotfix, after?.hotfixes ?? []);
      if (lost === undefined) return [];
      const message = `The hot-fix ${name} ${hotfix.version} for ${hotfix.channel} ${lost}.`;
      return [violation(file, ["hotfixes"], { message, ...approvalMissing(context) })];
    });
  });
}

/** The lost part of a hot-fix, as the rest of a sentence. A debt is paid by naming what paid it. */
function lostDemand({ version, channel, debt = [] }: Hotfix, after: readonly Hotfix[]): string | undefined {
  const same = after.find((one) => one.version === version && one.channel === channel);
  if (same === undefined) return "is removed, and no release manager approved that: the fix could be undone";
  const owed = debt.find(({ kind, paidBy }) => paidBy === undefined && !same.debt?.some((one) => one.kind === kind));
  return owed && `owes a ${owed.kind}, which is removed without being paid, and no release manager approved that`;
}
