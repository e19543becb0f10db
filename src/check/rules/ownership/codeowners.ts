import { CODEOWNERS_PATH, codeownersText } from "../../../catalogue/codeowners.ts";
import { cataloguePlace, SETTINGS_PATH } from "../../../catalogue/paths.ts";
import { isBroken } from "../../../document/finding.ts";
import type { Context } from "../../context.ts";
import { CODEOWNERS, edit, MODULE, SAMPLE } from "../../example.ts";
import { unjudged, type Rule, type Unjudged, type Violation } from "../../rule.ts";

const SECOND_OWNER = edit(String(SAMPLE[MODULE]), `["@sample/team"]`, `["@sample/team", octocat]`);
const CHANNEL_FILES = "/channels/*/sample.yaml @sample/team";
const FOLDER = "/modules/sample/ @sample/team";
const FIXED = edit(
  edit(String(SAMPLE[CODEOWNERS]), CHANNEL_FILES, `${CHANNEL_FILES} @octocat`),
  FOLDER,
  `${FOLDER} @octocat`,
);

/** CODEOWNERS matches the owners in the files. */
export const ownershipCodeowners: Rule = {
  id: "ownership-codeowners",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: ".github/CODEOWNERS matches the owners in kyma-modules.yaml and in every module.yaml.",
  rationale:
    "GitHub asks only the owners in CODEOWNERS for a review. An outdated file lets a team that no longer owns a module approve its changes, and keeps its new owners out. If --teams does not list the members of a team, this file alone decides.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#who-may-approve-what",
  judge: differences,
  bad: { change: { [MODULE]: SECOND_OWNER }, at: { file: CODEOWNERS, line: CHANNEL_FILES } },
  good: { change: { [MODULE]: SECOND_OWNER, [CODEOWNERS]: FIXED } },
};

function* differences({ head, facts }: Context): Iterable<Violation | Unjudged> {
  const broken = head.findings.find(
    ({ file }) => (file === SETTINGS_PATH || cataloguePlace(file)?.kind === "module") && isBroken(head, file),
  );
  if (broken !== undefined) {
    yield unjudged(`${broken.file} cannot be read`);
    return;
  }
  if (facts.folder !== "")
    yield unjudged(`GitHub reads CODEOWNERS only at the top of a repository, and this catalogue is in ${facts.folder}`);
  const found = (facts.codeowners ?? "").replaceAll("\r\n", "\n");
  const wanted = codeownersText(head, found);
  if (wanted === found) return;
  const [linesFound, linesWanted] = [found.split("\n"), wanted.split("\n")];
  const index = linesWanted.findIndex((line, at) => line !== linesFound[at]);
  const at = index < 0 ? linesWanted.length : index;
  const line = linesWanted[at] ?? "";
  yield {
    kind: "violation",
    file: CODEOWNERS_PATH,
    position: { line: at + 1, column: 1 },
    message:
      facts.codeowners === undefined
        ? "There is no CODEOWNERS, although the files name owners."
        : `CODEOWNERS does not match the files: ${line === "" ? "nothing" : line} belongs here.`,
    remedy: "Run kyma-modules check --fix.",
  };
}
