import { vi } from "vitest";
import {
  FAST as FAST_FILE,
  manifestPath,
  manifestText,
  REGULAR_POLICY,
  SAMPLE,
  SETTINGS,
  SETTINGS_TEXT,
  templateText,
} from "../../src/check/example.ts";
import { configure, emptyRepository, type Folder } from "../systems/repository.ts";
import { mentions } from "../support/mentions.ts";
import { run, type Ended } from "./program.ts";

export const DAY_MS = 86_400_000;

/** The policy of regular in all tests. */
export const POLICY = `format: 1
follows: fast
landscapes: [dev]
promotion:
  soak: { minor: 7d, patch: 1d }
  merge: automatic
`;

/** The settings of a repository without a forge. */
export const NO_FORGE: string = SETTINGS_TEXT.concat("forge: { kind: none }\n");

/** A catalogue without a forge: fast and regular serve `sample` 1.0.0 since 100 days. `files` come on top. */
export function siteOf(files: Readonly<Record<string, string>> = {}, repository: Folder = emptyRepository()): Folder {
  configure(repository, { user: "Person" });
  repository.write({ ...SAMPLE, [SETTINGS]: NO_FORGE, [REGULAR_POLICY]: POLICY });
  repository.write({ [FAST_FILE]: templateText("fast", "1.0.0"), ...files });
  merge(repository, {}, 100);
  return repository;
}

/** Commits `files` on the branch that is checked out, as of `daysAgo`; gives the commit. */
export function merge(repository: Folder, files: Readonly<Record<string, string>>, daysAgo: number): string {
  repository.write(files);
  return repository.commit(undefined, Date.now() - daysAgo * DAY_MS);
}

/** Gives the newest commit the committer time of `daysAgo`, which Git takes from its environment only. */
export function redate(repository: Folder, daysAgo: number): string {
  const seconds = String(Math.floor((Date.now() - daysAgo * DAY_MS) / 1000));
  const old = repository.git("cat-file", "commit", "HEAD");
  const dated = old.replace(/^(author|committer) (.*) \d+ \+0000$/gm, `$1 $2 ${seconds} +0000`);
  const file = repository.git("rev-parse", "--git-path", "dated-commit");
  repository.write({ [file]: `${dated}\n` });
  const commit = repository.git("hash-object", "-t", "commit", "-w", file);
  repository.git("reset", "--quiet", "--soft", commit);
  return commit;
}

/** `kyma-modules ARGS --repo FOLDER`. */
export function kymaIn(folder: string, args: readonly string[]): Promise<Ended> {
  return run([...args, "--repo", folder]);
}

/** The environment of a person without a forge, whatever the environment of the tests says. */
export function forgetIdentity(): void {
  for (const name of ["GITHUB_TOKEN", "GH_TOKEN", "KYMA_MODULES_APP_ID", "GITHUB_REF_TYPE", "GITHUB_REF_NAME"])
    vi.stubEnv(name, "");
  vi.stubEnv("GITHUB_ACTOR", "octocat");
}

/** Fast gets `version`, with the manifest of its build, as of `daysAgo`; gives the commit. */
export function submit(repository: Folder, version: string, daysAgo: number): string {
  const files = { [FAST_FILE]: templateText("fast", version), [manifestPath(version)]: manifestText(version) };
  return merge(repository, files, daysAgo);
}

/** The error for a folder that holds no catalogue, with both ways to make one. */
export const NO_CATALOGUE: unknown = mentions(
  "error:",
  "no kyma-modules.yaml",
  "kyma-modules init",
  "kyma-modules import DIR",
);

/** The instant of `daysAgo`, as `--at` takes it. */
export function instantOf(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * DAY_MS).toISOString();
}
