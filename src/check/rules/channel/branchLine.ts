import { SETTINGS_PATH } from "../../../catalogue/paths.ts";
import { FILE_START } from "../../../document/finding.ts";
import { shortCommit } from "../../../document/printable.ts";
import { BUMP, SETTINGS, SETTINGS_TEXT } from "../../example.ts";
import type { Rule } from "../../rule.ts";

const ASIDE = "a".repeat(40);

/** A head may become the branch only if it continues what the branch was. */
export const branchLine: Rule = {
  id: "branch-line",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A head that the branch may be moved to has what the branch was among its first parents.",
  rationale:
    "What channels served, and when, is read along what the branch was. After a git pull of a rejected push, that is a side branch of the new head: clones made later cannot tell it from a merged branch. GitHub makes a merge of its own for each pull request.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/promotion.md#ask-what-may-move",
  judge: ({ base, head, facts: { aside } }) => {
    if (aside === undefined || (base ?? head).settings.forge.kind === "github") return [];
    const commit = shortCommit(aside);
    return [
      {
        kind: "violation",
        file: SETTINGS_PATH,
        position: FILE_START,
        message: `The head has merged ${commit} of its base like a side branch: if the branch is moved to it, its history is no longer what it was.`,
        remedy: `Rebase the other commits onto ${commit} (git rebase ${commit}), or merge the head into the branch with a merge of its own (git merge --no-ff).`,
      },
    ];
  },
  bad: { change: BUMP, aside: ASIDE, at: { file: SETTINGS, line: "" } },
  good: {
    base: { [SETTINGS]: `${SETTINGS_TEXT}forge: { kind: github, repository: sample/sample }\n` },
    change: BUMP,
    aside: ASIDE,
  },
};
