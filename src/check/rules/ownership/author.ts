import { FILE_START } from "../../../document/finding.ts";
import type { ModuleName } from "../../../catalogue/names.ts";
import { TEAMS_PATH } from "../../../catalogue/codeowners.ts";
import { isAmong, moduleOwners, releaseManagers } from "../../authority.ts";
import type { Context } from "../../context.ts";
import { BUMP, FAST } from "../../example.ts";
import { unjudged, type Complaint, type Rule, type Unjudged, type Violation } from "../../rule.ts";
import { touchedFiles } from "../../touched.ts";

const TEAMS: ReadonlyMap<string, readonly string[]> = new Map([
  ["@sample/team", ["owner"]],
  ["@sample/release-managers", ["boss"]],
]);

/** The author or an approver of a change owns the changed files. */
export const ownershipAuthor: Rule = {
  id: "ownership-author",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand:
    "The author or an approver of a change owns every module that it touches; release managers own the files outside modules.",
  rationale:
    "A version that a channel serves runs on thousands of clusters within the hour, so the owners of the module must agree; and a policy that anyone can change is useless. Owners are read from the base, so that a change cannot make its author an owner.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#who-may-approve-what",
  judge: strangers,
  bad: {
    change: BUMP,
    people: { author: "stranger", teams: TEAMS },
    at: { file: FAST, line: "" },
  },
  good: { change: BUMP, people: { author: "owner", teams: TEAMS } },
};

function* strangers(context: Context): Iterable<Violation | Unjudged> {
  const { author } = context.facts.people;
  const touched = Map.groupBy(touchedFiles(context), ({ module }) => module);
  if (touched.size === 0) return;
  if (author === undefined) {
    yield unjudged("the author is not known (--author)");
    return;
  }
  for (const [module, files] of touched) {
    const complaint = complaintAbout(author, module, context);
    if (complaint === undefined) continue;
    // One finding for each module is enough: the author may change none of its files.
    const [file = ""] = files.map(({ path }) => path);
    yield { kind: "violation", file, position: FILE_START, ...complaint };
  }
}

function complaintAbout(author: string, module: ModuleName | undefined, context: Context): Complaint | undefined {
  const owners = module === undefined ? releaseManagers(context) : moduleOwners(context, module);
  const what = module === undefined ? "files of the release managers" : `files of ${module}`;
  const names = owners.length === 0 ? "none (name releaseManagers in kyma-modules.yaml)" : owners.join(", ");
  const { people } = context.facts;
  switch (isAmong(owners, [author, ...people.approvedBy], people)) {
    case true:
      return undefined;
    case "not-known":
      return {
        message: `The change touches ${what}, and it is unknown whether ${author} is one of ${names}.`,
        remedy: `Branch protection with CODEOWNERS decides; ${TEAMS_PATH} (--teams) can list the members of teams.`,
        severity: "warning",
      };
    case false:
      return {
        message: `The change touches ${what}, but neither ${author} nor an approver is one of their owners: ${names}.`,
        remedy: "Ask one of them to approve the change.",
      };
  }
}
