import { EVIDENCE_BRANCH } from "../../catalogue/evidence/branch.ts";
import type { Run } from "../../ports.ts";
import type { ObservedKeeping, PublishWorld } from "../../promote/publish.ts";
import { namedFiles } from "../../systems/files/namedFiles.ts";
import { gitHistory } from "../../systems/git/history.ts";
import { openKeptBranch } from "../../systems/git/keptBranch.ts";
import { revisionSource } from "../../systems/git/revision.ts";
import { clock, openRepository } from "./systems.ts";

/** Opens the ports to publish evidence in the repository of a folder; `remote` is a name, address or path for Git. */
export function openPublishing({
  repo,
  remote,
}: {
  readonly repo: string;
  readonly remote?: string | undefined;
}): (run: Run) => Promise<PublishWorld & ObservedKeeping> {
  const repository = openRepository(repo);
  return async (run) => ({
    clock,
    namedFiles,
    branch: await openKeptBranch(repository, { branch: EVIDENCE_BRANCH, remote }, run),
    source: (revision) => revisionSource(repository, revision),
    firstParents: (commit, run) => repository.firstParents(commit, run),
    history: gitHistory(repository),
    chance: () => Math.random(),
  });
}
