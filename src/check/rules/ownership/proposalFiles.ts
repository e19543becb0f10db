import type { Catalogue } from "../../../catalogue/catalogue.ts";
import { parseChannelName } from "../../../catalogue/names.ts";
import { filesOfProposal, isAmongFiles, proposalBranch } from "../../../catalogue/proposalBranch.ts";
import { FILE_START } from "../../../document/finding.ts";
import type { Context } from "../../context.ts";
import { BUMP, FAST } from "../../example.ts";
import { unjudged, type Rule, type Unjudged, type Violation } from "../../rule.ts";

const BRANCH = "bump/fast/sample-1.2.0";

/** A branch of this program's name holds what the program proposes there, and nothing else. */
export const ownershipProposal: Rule = {
  id: "ownership-proposal",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand:
    "A branch that is named like a proposal (promote/, bump/, hold/, unhold/, withdraw/) changes only the files of its proposal.",
  rationale:
    "People approve a promotion or a hold by its name, and promotions merge by themselves. Everyone with write access can push to such a branch, so a change of a policy or of a program must not come along with it.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#who-may-approve-what",
  judge: foreignFiles,
  bad: {
    change: BUMP,
    people: { head: { branch: BRANCH, files: [FAST, "src/evil.ts"] } },
    at: { file: "src/evil.ts", line: "" },
  },
  good: { change: BUMP, people: { head: { branch: BRANCH, files: [FAST] } } },
};

function* foreignFiles({ base, facts: { folder, people } }: Context): Iterable<Violation | Unjudged> {
  const { author, head } = people;
  if (base === undefined) return;
  if (head === undefined) {
    // Only a forge knows the author, and it knows the branch, too.
    if (author !== undefined) yield unjudged("the branch of the change is not known (--head-branch)");
    return;
  }
  const allowed = allowedOn(head.branch, base);
  if (allowed === undefined) return;
  for (const path of head.files) {
    const isInside = path.startsWith(folder);
    const file = isInside ? path.slice(folder.length) : path;
    if (isInside && isAmongFiles(file, allowed)) continue;
    const message = `The branch ${head.branch} may only change ${[...allowed].join(", ")}, but it also changes ${file}.`;
    const remedy = "Take the file out of this branch, and propose it on a branch of another name.";
    yield { kind: "violation", file, position: FILE_START, message, remedy };
  }
}

/** The files that the proposal on a branch may change; `undefined` for a branch of another name. */
function allowedOn(branch: string, base: Catalogue): ReadonlySet<string> | undefined {
  const place = proposalBranch(branch);
  if (place === undefined) return undefined;
  const channel = parseChannelName(place.channel);
  const policy = channel === undefined ? undefined : base.channels.get(channel);
  return filesOfProposal(place, policy?.promotion.limits?.together);
}
