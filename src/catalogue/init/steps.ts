import { shellWord } from "../../document/shellWord.ts";
import { LOCK_PATH } from "./manifest.ts";
import { FIRST_CONTEXT, type InitRequest } from "./settings.ts";

/** A command to run next. */
export interface NextStep {
  readonly command: string;
  readonly because: string;
}

/** A new catalogue, as `init` leaves it. */
export interface NewCatalogue {
  readonly request: InitRequest;
  /** The folder, as the user gave it. */
  readonly folder: string;
  readonly isLocked: boolean;
  readonly git: GitState;
}

/** Whether the folder is its own Git repository, and whether that has a remote `origin`. */
export type GitState = "none" | "repository" | "clone";

/** The steps from a new catalogue to the first module on a control plane, and then to GitHub. */
export function nextSteps(situation: NewCatalogue): readonly NextStep[] {
  const { request, folder, isLocked, git } = situation;
  return [
    ...only(folder !== ".", `cd ${shellWord(folder)}`, "run all other commands there"),
    ...only(!isLocked, "npm install --package-lock-only", `writes ${LOCK_PATH}, which pins the program`),
    { command: "npm ci", because: "installs the program" },
    ...(request.sample ? [] : FIRST_MODULE),
    { command: "npx kyma-modules check", because: "checks the whole catalogue" },
    ...only(git === "none", "git init --initial-branch=main", "sync serves only committed files"),
    { command: "git add .", because: "" },
    { command: 'git commit -m "Begin the catalogue"', because: "" },
    ...SERVE,
    ...gitHubSteps(situation),
  ];
}

const FIRST_MODULE: readonly NextStep[] = [
  {
    command: "npx kyma-modules import template.yaml",
    because:
      "imports the first module: replace template.yaml with a ModuleTemplate, and set its registry in kyma-modules.yaml",
  },
];

const SERVE: readonly NextStep[] = [
  {
    command: "npx kyma-modules demo --once",
    because: "shows it on local control planes, without a cluster",
  },
  {
    command: "npx kyma-modules plan dev",
    because: `shows the changes; uses the context ${FIRST_CONTEXT} of your kubeconfig, or the one that you set in kyma-modules.yaml`,
  },
  { command: "npx kyma-modules sync dev", because: "applies them: the first landscape serves the catalogue" },
];

function gitHubSteps({ request: { github }, git }: NewCatalogue): readonly NextStep[] {
  if (github === undefined) return [];
  const address = `https://github.com/${github.organization}/${github.name}.git`;
  return [
    ...only(git !== "clone", `git remote add origin ${address}`, "the repository must exist and be empty"),
    {
      command: "git push --set-upstream origin HEAD",
      because: "then protect the branch: require the check `check`, and a review of the code owners",
    },
  ];
}

function only(isDue: boolean, command: string, because: string): readonly NextStep[] {
  return isDue ? [{ command, because }] : [];
}
