import { TEAMS_PATH } from "../../../catalogue/codeowners.ts";
import { FILE_START } from "../../../document/finding.ts";
import { readYaml } from "../../../document/yaml/read.ts";
import type { Context } from "../../context.ts";
import { readTeams } from "../../people.ts";
import type { Rule, Violation } from "../../rule.ts";

/** The list of team members can be read. */
export const ownershipTeams: Rule = {
  id: "ownership-teams",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: `${TEAMS_PATH}, where there is one, maps teams as @org/team to lists of logins.`,
  rationale:
    "The gate of every pull request reads the file from the base branch, to know whether a release manager or an owner approved. Once a broken file is merged, no pull request passes the gate, not even the one that fixes it.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#who-may-approve-what",
  judge: unreadable,
  bad: {
    change: { [TEAMS_PATH]: '"@sample/release-managers": boss\n' },
    at: { file: TEAMS_PATH, line: "" },
  },
  good: { change: { [TEAMS_PATH]: '"@sample/release-managers": [boss]\n' } },
};

function unreadable({ facts: { teamsFile } }: Context): readonly Violation[] {
  if (teamsFile === undefined) return [];
  const reading = readYaml(TEAMS_PATH, teamsFile);
  if (reading.kind === "refused")
    return reading.findings.map(({ file, line, column, message, remedy }) => {
      return { kind: "violation", file, position: { line, column }, message, remedy };
    });
  if (readTeams(reading.file) !== undefined) return [];
  const message = "The file is not a map of teams: an entry is not a team, or not a list of logins.";
  const remedy = 'Write one line a team: "@org/team": [login, login].';
  return [{ kind: "violation", file: TEAMS_PATH, position: FILE_START, message, remedy }];
}
