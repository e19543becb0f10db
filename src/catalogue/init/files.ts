import { CODEOWNERS_PATH, codeownersText } from "../codeowners.ts";
import { parse } from "../parse.ts";
import { SETTINGS_PATH } from "../paths.ts";
import { sampleFiles } from "./sample.ts";
import {
  CHANNEL_FILES,
  type InitRequest,
  initOrganization,
  initReleaseManagers,
  settingsText,
  teamsText,
} from "./settings.ts";

/** The folder of the program's package after its installation in a catalogue. */
const PROGRAM_FOLDER = "node_modules/kyma-modules";
const WORKFLOWS = /^\.github\/workflows\/(submission|evidence|promotion|dashboard|sync|pages)\.yaml$/;

/** Users, or GitHub, may have created it already: then theirs stays, as with `.gitignore`. */
export const README_PATH = "README.md";
/** The list of files that git ignores. */
export const IGNORED_PATH = ".gitignore";
/** The line of `.gitignore` that keeps the program from being committed. */
export const IGNORED = "node_modules/";

/**
 * The files of a new catalogue, except those that npm reads, by path and in the order in which to write them.
 *
 * Takes:  `own`, the text of the files of the program's own repository: its workflows, channels and modules.
 */
export function catalogueFiles(request: InitRequest, own: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const content = request.sample ? sampleFiles(own, initOrganization(request)) : CHANNEL_FILES;
  const read = new Map([[SETTINGS_PATH, settingsText(request)], ...content]);
  const readme = [OPENING, ...(request.sample ? [SAMPLE] : []), LAYOUT, WORK, gitHub(request), PROGRAM].join("\n\n");
  return new Map([
    ...read,
    [CODEOWNERS_PATH, initCodeowners(read)],
    [".github/teams.yaml", teamsText(request)],
    // The program's own workflows, but with the installed package instead of the checked-out program.
    ...[...own]
      .filter(([path]) => WORKFLOWS.test(path))
      .map(([path, text]) => [path, text.replaceAll("base/.ci/", `base/${PROGRAM_FOLDER}/.ci/`)] as const),
    [
      ".gitattributes",
      "# The descriptors hold the digest of each manifest: no line ending may change.\nmodules/**/manifest.yaml -text\n",
    ],
    [IGNORED_PATH, `${IGNORED}\n`],
    [README_PATH, `${readme}\n`],
  ]);
}

/** The text that `check --fix` would write. */
function initCodeowners(files: ReadonlyMap<string, string>): string {
  const encoder = new TextEncoder();
  const snapshot = [...files].map(([path, text]) => [path, { kind: "bytes", bytes: encoder.encode(text) }] as const);
  const parsing = parse(undefined, new Map(snapshot));
  return codeownersText(parsing.kind === "catalogue" ? parsing.catalogue : parsing.readable);
}

const OPENING = `# Module catalogue

This repository defines which version of which Kyma module every release channel serves. The program
[kyma-modules](https://github.com/kyma-project/kyma-modules), pinned in \`package.json\`, checks its changes, moves versions from channel to channel,
and makes Kyma control planes serve exactly these versions. It needs Node 24 or newer, npm and git.

\`\`\`
npm ci                       # installs the program, once and after each change of package-lock.json
npx kyma-modules check       # checks the whole catalogue
npx kyma-modules --help      # all commands
\`\`\``;

const SAMPLE = `The modules are invented samples without images: do not install them on clusters that matter. To add your own
modules, remove \`modules/\` and \`channels/*/\`, and set \`registry\` in \`kyma-modules.yaml\`.`;

const LAYOUT = `## Layout

\`\`\`
kyma-modules.yaml                  landscapes in roll-out order, release managers, registry
channels/<channel>.yaml            the channel's policy: the channel that it follows, its landscapes
channels/<channel>/<module>.yaml   the ModuleTemplate that the channel serves
modules/<module>/module.yaml       owners, OCM component, links
modules/<module>/<version>/        manifest.yaml, module-config.yaml, samples/: inputs of the checks
.github/CODEOWNERS                 the owners of all files: generated (check --fix)
.github/teams.yaml                 the members of the owning teams
\`\`\``;

const WORK = `## Daily work

- Put a version into a channel: \`npx kyma-modules bump MODULE@VERSION --channel fast --template FILE\`, or edit the file,
  commit it, and run \`npx kyma-modules check --base main\`.
- See which versions can move to the next channel, and why others cannot: \`npx kyma-modules promote\`. Keep a version out of
  a channel: \`npx kyma-modules hold\`.
- See the changes to a control plane: \`npx kyma-modules plan dev\`. Apply them: \`npx kyma-modules sync dev\`.
- Try a change without a cluster: \`npx kyma-modules demo\` follows every saved file.`;

function gitHub(request: InitRequest): string {
  const place = request.github === undefined ? "Set `forge` in `kyma-modules.yaml` first. " : "";
  const managers = initReleaseManagers(request);
  return `## On GitHub

${place}The workflows in \`.github/workflows/\`:

- \`submission.yaml\` checks every pull request.
- \`promotion.yaml\` opens the pull requests that move versions. With \`forge: { …, dashboard: {} }\` in \`kyma-modules.yaml\`, it
  also maintains a dashboard issue.
- \`dashboard.yaml\` carries out the actions that people tick in that issue.
- \`sync.yaml\` plans pull requests, syncs merged changes, and publishes the state of clusters as evidence, if it has the secrets.
- \`evidence.yaml\` runs the smoke tests that a policy demands (\`needs: [smoke]\`), and keeps the results on the branch \`evidence\`.
- \`pages.yaml\` shows the train on GitHub Pages, if you enable it.

They need:

- The team \`${managers}\`, or other owners in \`kyma-modules.yaml\`, and its members in \`.github/teams.yaml\`.
- A rule for the branch \`main\` that requires the check \`check\` and a review of the code owners, and one for the branch
  \`evidence\` that forbids force pushes and deletion.
- Permission for Actions to create pull requests (Settings, Actions, General), or a GitHub App with its id and key in the secrets
  \`KYMA_MODULES_APP_ID\` and \`KYMA_MODULES_APP_PRIVATE_KEY\`.
- To sync without the controller: the secret \`KYMA_MODULES_PLAN_KUBECONFIG\`, with read-only access to the control planes, and for each
  landscape an environment of the same name, with its reviewers and the secret \`KYMA_MODULES_KUBECONFIG\`.`;
}

const PROGRAM = `## Another version of the program

Run \`npm install --save-exact kyma-modules@VERSION\` (or a tarball, or a Git address) in a separate pull request. The workflows in
\`.github/\` are those of the version that created this catalogue: compare them with those of \`kyma-modules init\` in an empty folder.`;
