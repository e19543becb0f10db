import { CODEOWNERS_PATH, codeownersText } from "../codeowners.ts";
import { parse } from "../parse.ts";
import { SETTINGS_PATH } from "../paths.ts";
import { sampleFiles } from "./sample.ts";
import {
  CHANNEL_FILES,
  type InitRequest,
  organizationOf,
  releaseManagersOf,
  settingsText,
  teamsText,
} from "./settings.ts";

/** Where the program's own package lies once it is installed in a catalogue. */
const PROGRAM_FOLDER = "node_modules/kyma-modules";
const WORKFLOWS = /^\.github\/workflows\/(submission|evidence|promotion|dashboard|sync|pages)\.yaml$/;

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

/** README.md of a new catalogue. */
function readmeText(request: InitRequest): string {
  const parts = [OPENING, ...(request.sample ? [SAMPLE] : []), LAYOUT, WORK, gitHub(request), PROGRAM];
  return `${parts.join("\n\n")}\n`;
}

const OPENING = `# Module catalogue

This repository says which version of which Kyma module every release channel serves. The program
[kyma-modules](https://github.com/kyma-project/kyma-modules), pinned in \`package.json\`, judges its changes, moves versions from channel to channel,
and makes Kyma control planes serve exactly that. It needs Node 24 or newer, npm and git.

\`\`\`
npm ci                       # installs the program, once and after each change of package-lock.json
npx kyma-modules check       # judges everything
npx kyma-modules --help      # all commands
\`\`\``;

const SAMPLE = `The modules are made up: their images exist nowhere, and nothing is to be installed on clusters that matter. Remove
\`modules/\` and \`channels/*/\` when your own come, and set \`registry\` in \`kyma-modules.yaml\`.`;

const LAYOUT = `## What is where

\`\`\`
kyma-modules.yaml                  landscapes in roll-out order, release managers, registry
channels/<channel>.yaml            the channel's policy: what it follows, where it is served
channels/<channel>/<module>.yaml   the ModuleTemplate that the channel serves
modules/<module>/module.yaml       owners, OCM component, links
modules/<module>/<version>/        manifest.yaml, module-config.yaml, samples/: what the gate compares
.github/CODEOWNERS                 who may change what: generated (check --fix)
.github/teams.yaml                 who is in the teams that it names
\`\`\``;

const WORK = `## Daily work

- A team puts a version into a channel: \`npx kyma-modules bump MODULE@VERSION --channel fast --template FILE\`, or by hand;
  then \`npx kyma-modules check --base main\`.
- What moves to the next channel, or why not yet: \`npx kyma-modules promote\`. Keep a version out: \`npx kyma-modules hold\`.
- What would change on a control plane: \`npx kyma-modules plan dev\`. Do it: \`npx kyma-modules sync dev\`.
- Try a change without any cluster: \`npx kyma-modules demo\` follows every saved file.`;

function gitHub(request: InitRequest): string {
  const place = request.github === undefined ? "Set `forge` in `kyma-modules.yaml` first. " : "";
  const managers = releaseManagersOf(request);
  return `## On GitHub

${place}\`.github/workflows/submission.yaml\` judges every pull request, \`.github/workflows/promotion.yaml\` opens those that
move versions. With \`forge: { …, dashboard: {} }\` in \`kyma-modules.yaml\` that one keeps an issue up to date as well, on which
\`.github/workflows/dashboard.yaml\` carries out what people tick. \`.github/workflows/sync.yaml\` plans pull requests, syncs what is
merged, and publishes what clusters run as evidence, once it has the secrets for that. \`.github/workflows/evidence.yaml\` runs
the smoke tests that a policy asks for (\`needs: [smoke]\`), and keeps what they find on the branch \`evidence\`.
\`.github/workflows/pages.yaml\` shows the train on GitHub Pages, once you switch it on. What they need:

- The team \`${managers}\`, or other names in \`kyma-modules.yaml\`, and its members in \`.github/teams.yaml\`.
- A rule for the branch \`main\` that requires the check \`check\` and a review of the code owners, and one for the branch
  \`evidence\` that forbids force pushes and deletion.
- Actions that may create pull requests (Settings, Actions, General), or a GitHub App whose id and key are the secrets
  \`KYMA_MODULES_APP_ID\` and \`KYMA_MODULES_APP_PRIVATE_KEY\`.
- To sync without the controller: the secret \`KYMA_MODULES_PLAN_KUBECONFIG\`, which may only read the control planes, and an environment
  with the name of each landscape, its reviewers, and the secret \`KYMA_MODULES_KUBECONFIG\`.`;
}

const PROGRAM = `## Another version of the program

\`npm install --save-exact kyma-modules@VERSION\` (or a tarball, or a Git address) in a pull request of its own. The workflows in
\`.github/\` are of the version that made this catalogue: compare them with those of \`kyma-modules init\` in an empty folder.`;
