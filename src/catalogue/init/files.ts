import { CODEOWNERS_PATH, codeownersText } from "../codeowners.ts";
import { parse } from "../parse.ts";
import { SETTINGS_PATH } from "../paths.ts";
import { readmeText } from "./readme.ts";
import { sampleFiles } from "./sample.ts";
import { CHANNEL_FILES, organizationOf, settingsText, teamsText, type InitRequest } from "./settings.ts";

/** Where the program's own package lies once it is installed in a catalogue. */
const PROGRAM_FOLDER = "node_modules/kyma-modules";
const WORKFLOWS = /^\.github\/workflows\/(submission|promotion|dashboard)\.yaml$/;

/** What people may have written before, and what is then theirs: GitHub makes the first two itself. */
export const README_PATH = "README.md";
/** What git leaves out. */
export const IGNORED_PATH = ".gitignore";
/** The line of `.gitignore` without which the program would be committed. */
export const IGNORED = "node_modules/";

/**
 * The files of a new catalogue, but for what npm reads, by their paths; in the order in which they are written.
 *
 * Takes:  `own`, the text of the files of the program's own repository: its workflows, channels and modules.
 */
export function catalogueFiles(request: InitRequest, own: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const content = request.sample ? sampleFiles(own, organizationOf(request)) : CHANNEL_FILES;
  const read = new Map([[SETTINGS_PATH, settingsText(request)], ...content]);
  return new Map([
    ...read,
    [CODEOWNERS_PATH, codeownersOf(read)],
    [".github/teams.yaml", teamsText(request)],
    ...[...own].filter(([path]) => WORKFLOWS.test(path)).map(([path, text]) => [path, workflowText(text)] as const),
    [
      ".gitattributes",
      "# The descriptors hold the digest of each manifest: no line ending may change.\nmodules/**/manifest.yaml -text\n",
    ],
    [IGNORED_PATH, `${IGNORED}\n`],
    [README_PATH, readmeText(request)],
  ]);
}

/** The program's own workflows, where the program is a package that is installed, and not what is checked out. */
function workflowText(own: string): string {
  return own.replaceAll("base/.ci/", `base/${PROGRAM_FOLDER}/.ci/`);
}

/** As `check --fix` writes it. */
function codeownersOf(files: ReadonlyMap<string, string>): string {
  const encoder = new TextEncoder();
  const snapshot = [...files].map(([path, text]) => [path, { kind: "bytes", bytes: encoder.encode(text) }] as const);
  const parsing = parse(undefined, new Map(snapshot));
  return codeownersText(parsing.kind === "catalogue" ? parsing.catalogue : parsing.readable);
}
