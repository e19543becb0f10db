import { shellWord } from "../../document/shellWord.ts";
import { LOCK_PATH } from "./manifest.ts";
import { FIRST_CONTEXT, type InitRequest } from "./settings.ts";

/** A command to type next. */
export interface NextStep {
  readonly command: string;
  readonly because: string;
}

/** What a person finds once a catalogue is written. */
export interface NewCatalogue {
  readonly request: InitRequest;
  /** The folder, as it was named. */
  readonly folder: string;
  readonly isLocked: boolean;
  readonly git: GitState;
}

/** Whether the folder is a Git repository of its own, and whether that knows a remote `origin`. */
export type GitState = "none" | "repository" | "clone";

/** What leads from a new catalogue to the first module on a control plane, and then to GitHub. */
export function nextSteps(situation: NewCatalogue): readonly NextStep[] {
  const { request, folder, isLocked } = situation;
  return [
    ...only(folder !== ".", `cd ${shellWord(folder)}`, "all that follows is typed there"),
    ...only(!isLocked, "npm install --package-lock-only", `writes ${LOCK_PATH}, which pins the program`),
    { command: "npm ci", because: "installs the program" },
    ...(request.sample ? [] : FIRST_MODULE),
    { command: "npx kyma-modules check", because: "judges everything" },
    ...commitSteps(situation),
    ...SERVE,
    ...gitHubSteps(situation),
  ];
}

const FIRST_MODULE: readonly NextStep[] = [
  {
    command: "npx kyma-modules import template.yaml",
    because:
      "the first module, a ModuleTemplate in place of template.yaml; registry in kyma-modules.yaml says where it is published",
  },
];

const SERVE: readonly NextStep[] = [
  {
    command: "npx kyma-modules demo --once",
    because: "shows it on control planes on this machine, without any cluster",
  },
  {
    command: "npx kyma-modules plan dev",
    because: `what a sync would do; the context ${FIRST_CONTEXT} of your kubeconfig, or another one in kyma-modules.yaml`,
  },
  { command: "npx kyma-modules sync dev", because: "does it: the first landscape serves the catalogue" },
];

function commitSteps({ git }: NewCatalogue): readonly NextStep[] {
  return [
    ...only(git === "none", "git init --initial-branch=main", "a sync serves what is committed"),
    { command: "git add .", because: "" },
    { command: 'git commit -m "Begin the catalogue"', because: "" },
  ];
}

function gitHubSteps({ request: { github }, git }: NewCatalogue): readonly NextStep[] {
  if (github === undefined) return [];
  const address = `https://github.com/${github.organization}/${github.name}.git`;
  return [
    ...only(git !== "clone", `git remote add origin ${address}`, "an empty repository of that name"),
    {
      command: "git push --set-upstream origin HEAD",
      because: "then protect the branch: require the check `check`, and a review of the code owners",
    },
  ];
}

function only(isDue: boolean, command: string, because: string): readonly NextStep[] {
  return isDue ? [{ command, because }] : [];
}
