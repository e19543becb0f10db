import { releaseManagersOf, type InitRequest } from "./settings.ts";

/** README.md of a new catalogue. */
export function readmeText(request: InitRequest): string {
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
\`.github/workflows/dashboard.yaml\` carries out what people tick. What they need:

- The team \`${managers}\`, or other names in \`kyma-modules.yaml\`, and its members in \`.github/teams.yaml\`.
- A rule for the branch \`main\` that requires the check \`check\` and a review of the code owners.
- Actions that may create pull requests (Settings, Actions, General), or a GitHub App whose id and key are the secrets
  \`KYMA_MODULES_APP_ID\` and \`KYMA_MODULES_APP_PRIVATE_KEY\`.`;
}

const PROGRAM = `## Another version of the program

\`npm install --save-exact kyma-modules@VERSION\` (or a tarball, or a Git address) in a pull request of its own. The workflows in
\`.github/\` are of the version that made this catalogue: compare them with those of \`kyma-modules init\` in an empty folder.`;
