import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Forge, ProposalDraft } from "../../src/ports.ts";
import { openDirectForge } from "../../src/systems/git/direct.ts";
import { configure, emptyRepository, type Folder, gitAt } from "./repository.ts";

/** The branch of the drafts. */
export const BRANCH = "promote/regular/istio";
/** The file that they change. */
export const PATH = "channels/regular/istio.yaml";
/** A file that is there, too. */
export const OTHER = "channels/regular/other.yaml";
/** What promotion looks at. */
export const PREFIXES: readonly string[] = ["promote/", "hold/"];

/** A repository with one commit on main, whose author Git knows. */
export function knownRepository(): Folder {
  const repository = emptyRepository();
  identify(repository);
  repository.write({ [PATH]: "1.0.0\n", [OTHER]: "other\n", "channels/regular.yaml": "policy\n" });
  repository.commit("base");
  return repository;
}

/** Tells Git who commits. */
export function identify(repository: Folder): void {
  configure(repository, { user: "Committer" });
}

/** A draft on the commit `base`. */
export function draftOn(base: string, version: string, more: Partial<ProposalDraft> = {}): ProposalDraft {
  return {
    branch: BRANCH,
    base,
    files: new Map([[PATH, `${version}\n`]]),
    message: `Promote istio to ${version}\n\nPromotes: istio@${version}`,
    title: `Promote istio to ${version}`,
    body: "",
    digest: `digest-${version}`,
    mayReplace: ({ others, isMarked }) => others.length === 0 && isMarked,
    reviewers: [],
    isUrgent: false,
    isAsked: false,
    ...more,
  };
}

/** What a user would notice: files, index, HEAD. */
export function stateOf({ git, path }: Folder): unknown {
  return [
    git("status", "--porcelain"),
    readFileSync(join(path, ".git/index")),
    readFileSync(join(path, ".git/HEAD"), "utf8"),
    git("worktree", "list"),
  ];
}

/** A message of a Fault, for `toMatchObject`. */
export const message = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** What makes a draft another one, that changes another file. */
export const SECOND: Partial<ProposalDraft> = { files: new Map([[OTHER, "2.0.0\n"]]), digest: "second" };

/** A forge that commits to the base branch itself. */
export function direct(directory: string, baseRevision = "HEAD", deadlineMs = 60_000): Forge {
  return openDirectForge(gitAt(directory), baseRevision, ["evidence", "hold/*"], deadlineMs);
}
