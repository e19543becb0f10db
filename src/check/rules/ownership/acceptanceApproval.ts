import type { Acceptance } from "../../../catalogue/policy.ts";
import { edit, MODULE, SAMPLE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { unapproved, type EntryList } from "../../unapproved.ts";

const ACCEPTS: EntryList<Acceptance> = {
  key: "accepts",
  fileOf: ({ files }) => files.module,
  entriesOf: ({ says }) => says.accepts ?? [],
  messageOf: ({ refusal, field, channel, to }, { name }) => {
    const subject = field === undefined ? `${name} ${to} in ${channel}` : `${field} of ${name}`;
    return `The acceptance of ${refusal} for ${subject} does not count: no release manager approved it.`;
  },
};

const ACCEPTED = edit(
  String(SAMPLE[MODULE]),
  "ocmComponentName",
  `accepts:
  - refusal: channel-removal
    channel: fast
    from: 1.1.0
    to: 1.1.0
    reason: it is not enabled anywhere yet
    until: "2100-01-01T00:00:00Z"
ocmComponentName`,
);

/** An accepted refusal that the base does not have needs the approval of a release manager. */
export const acceptanceApproval: Rule = {
  id: "acceptance-approval",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: "A change adds an accepted refusal only with the approval of a release manager.",
  rationale:
    "A refused change would uninstall a module or move it backwards on every cluster that has it. The owners of one module are not responsible for all these clusters, but release managers are. So the entry counts only if the base has it, or a release manager approved the change that adds it.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#accept-a-refusal",
  judge: (context) => unapproved(ACCEPTS, context),
  bad: { change: { [MODULE]: ACCEPTED }, at: { file: MODULE, line: "refusal: channel-removal" } },
  good: {
    change: { [MODULE]: ACCEPTED },
    people: { approvedBy: ["boss"], teams: new Map([["@sample/release-managers", ["boss"]]]) },
  },
};
