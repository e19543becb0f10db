import { cpSync } from "node:fs";
import { join } from "node:path";
import {
  CODEOWNERS,
  edit,
  manifestText,
  MODULE,
  SAMPLE,
  SETTINGS,
  SETTINGS_TEXT,
  templateText,
} from "../../src/check/example.ts";
import type { DoubleOptions } from "../systems/github/double.ts";
import type { State } from "../systems/github/doubleWorld.ts";
import { emptyFolder, type Folder } from "../systems/repository.ts";
import { shareVerdicts } from "./caches.ts";
import { openTrain, REPOSITORY, type Train } from "./train.ts";

/** Where a run of `promote --apply` starts, on disk; every run gets a copy. */
export interface Start {
  /** Holds `bare`, `clone` and `cache`. */
  readonly folder: Folder;
  /** The pull requests; `undefined` where no forge is. */
  readonly pulls: State | undefined;
  /** Whether commits go to the base branch itself. */
  readonly direct: boolean;
}

/** The double that starts lead to. */
export const DOUBLE: Pick<DoubleOptions, "repository" | "tokens" | "settings"> = {
  repository: REPOSITORY,
  tokens: { ghp_persons: { login: "release-train" } },
  settings: { checks: "pending", checkNames: ["check"] },
};

/** Named after what one `promote --apply` does to each. The base moves in the middle. */
export const MODULES = ["closes", "edited", "merges", "opens", "reopens", "updates"] as const;

/** `text` about `sample`, as it is about another module. */
function about(module: string, text: string): string {
  const capital = `${module[0]?.toUpperCase() ?? ""}${module.slice(1)}`;
  return text.replaceAll("sample", module).replaceAll("Sample", capital);
}

function served(channel: string, module: string, version: string): Readonly<Record<string, string>> {
  return {
    [`channels/${channel}/${module}.yaml`]: about(module, templateText(channel, version)),
    [`modules/${module}/${version}/manifest.yaml`]: about(module, manifestText(version)),
  };
}

const OWNED = [
  "/channels/*/sample.yaml @sample/team @sample/release-managers",
  "/modules/sample/ @sample/team @sample/release-managers",
];

/** The owners of all modules. */
function codeowners(): string {
  const owned = OWNED.join("\n");
  const all = [...MODULES, "sample"]
    .toSorted()
    .map((module) =>
      owned.replaceAll("sample.yaml", `${module}.yaml`).replace("/modules/sample/", `/modules/${module}/`),
    );
  return edit(SAMPLE[CODEOWNERS] ?? "", owned, all.join("\n"));
}

function introduced(module: string): Readonly<Record<string, string>> {
  const said = { [`modules/${module}/module.yaml`]: edit(SAMPLE[MODULE] ?? "", "module/sample", `module/${module}`) };
  return { ...said, ...served("fast", module, "1.0.0"), ...served("regular", module, "1.0.0") };
}

function held(module: string): Readonly<Record<string, string>> {
  const entry = 'version: 1.1.0, reason: drops connections, by: octocat, since: "2026-01-01T00:00:00Z"';
  return { [`modules/${module}/holds.yaml`]: `format: 1\nholds: [{ ${entry} }]\n` };
}

function together(files: readonly Readonly<Record<string, string>>[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...files) as Readonly<Record<string, string>>;
}

/**
 * A catalogue on GitHub in which one `--apply` opens, updates, closes, reopens and merges a pull request each, and
 * leaves alone one to whose branch a person pushed.
 */
export async function startOnGitHub(): Promise<Start> {
  const folder = emptyFolder();
  const cache = join(folder.path, "cache");
  shareVerdicts(cache);
  const train = await openTrain(DOUBLE);
  train.merge(together([...MODULES.map(introduced), { [CODEOWNERS]: codeowners() }]), 90);
  train.merge(together(MODULES.filter((one) => one !== "opens").map((one) => served("fast", one, "1.1.0"))), 9);
  await applied(train, cache);
  train.merge(held("reopens"), 8.7);
  await applied(train, cache);
  train.merge({ "modules/reopens/holds.yaml": "format: 1\nholds: []\n", ...held("closes") }, 8.6);
  train.merge({ ...served("fast", "updates", "1.1.1"), ...served("fast", "opens", "1.1.0") }, 8.5);
  correct(train);
  train.double.setCheck("promote/regular/merges", "check", "green");
  cpSync(train.bare.path, join(folder.path, "bare"), { recursive: true });
  cpSync(train.clone.path, join(folder.path, "clone"), { recursive: true });
  return { folder, pulls: train.double.state(), direct: false };
}

/** The same without a forge: what is proposed are branches of the clone. Nothing is ever merged there. */
export function startInClone({ folder: from }: Start): Start {
  const folder = copyOf(from);
  // A closed proposal cannot be reopened there, because its branch is gone.
  folder.git("-C", "clone", "fetch", "--quiet", "origin", "refs/heads/promote/*:refs/heads/promote/*");
  folder.git("-C", "clone", "branch", "--quiet", "-D", "promote/regular/reopens");
  return { folder, pulls: undefined, direct: false };
}

/** The same without a forge: what is proposed is committed to the base branch of the remote. */
export function startDirect({ folder: from }: Start): Start {
  return { folder: copyOf(from), pulls: undefined, direct: true };
}

function copyOf(from: Folder): Folder {
  const folder = emptyFolder();
  cpSync(from.path, folder.path, { recursive: true });
  const git = (...args: readonly string[]): string => folder.git("-C", "clone", ...args);
  git("remote", "set-url", "origin", join(folder.path, "bare"));
  folder.write({ [`clone/${SETTINGS}`]: SETTINGS_TEXT + "forge: { kind: none }\n" });
  git("commit", "--quiet", "--all", "--message", "Leave the forge");
  git("push", "--quiet");
  return folder;
}

async function applied(train: Train, cache: string): Promise<void> {
  const { code, stdout, stderr } = await train.kyma(["promote", "--apply"], cache);
  if (code !== 0 || stderr !== "") throw new Error(stdout + stderr);
}

/** A person corrects what is proposed. */
function correct({ clone }: Train): void {
  clone.git("fetch", "--quiet", "origin");
  clone.git("switch", "--quiet", "--create", "promote/regular/edited", "origin/promote/regular/edited");
  clone.write({ "channels/regular/edited.yaml": about("edited", `# Looked at\n${templateText("regular", "1.1.0")}`) });
  clone.commit("Say who looked at it");
  clone.git("push", "--quiet", "origin", "promote/regular/edited");
  clone.git("switch", "--quiet", "main");
  clone.git("branch", "--quiet", "-D", "promote/regular/edited");
}
