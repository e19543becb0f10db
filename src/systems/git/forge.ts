import { Fault, type Forge } from "../../ports.ts";
import { directCommits } from "./direct.ts";
import { closeBranch, listProposals, proposeBranch } from "./proposals.ts";
import { openClone, type Clone } from "./clone.ts";
import type { Repository } from "./repository.ts";

/** How a repository without a forge is changed. */
export interface GitForgeSettings {
  /** `branch`: each proposal is a local branch that people merge; `direct`: a commit on the base branch itself. */
  readonly mode: "branch" | "direct";
  /** What proposals start from: `HEAD`, or, for instance, `main`. With `direct`, a branch. */
  readonly baseRevision: string;
  /** For one call of a remote. Milliseconds. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 60_000;

/**
 * A Git repository without a forge. The user's working trees, their index and HEAD are never touched; the one visible
 * act is the atomic move of a branch, here or at the remote.
 *
 * With `direct` there are no proposals to look at: `propose` commits, and gives the base branch as `branch`; `merge`
 * says that it is merged.
 */
export function openGitForge(repository: Repository, settings: GitForgeSettings): Forge {
  const { mode, baseRevision, deadlineMs = DEADLINE_MS } = settings;
  const clone = openClone(repository, baseRevision, deadlineMs);
  return mode === "branch" ? branchForge(clone) : directForge(clone);
}

function branchForge(clone: Clone): Forge {
  return {
    look: async (prefixes, run) => {
      const base = await clone.base(run);
      return { base, hasPulls: false, proposals: await listProposals(clone.repository, prefixes, base, run) };
    },
    propose: (draft, known, run) => proposeBranch(clone, draft, known, run),
    close: async (proposal, why, run) => {
      await closeBranch(clone.repository, proposal, why, run);
      return { kind: "closed" };
    },
    // Without --no-ff the history would have the change when it was proposed, not when it was merged.
    merge: ({ branch }) =>
      Promise.resolve({ kind: "waiting", why: `without a forge, a person merges: git merge --no-ff ${branch}` }),
    mergeTimes: () => Promise.resolve(new Map()),
  };
}

function directForge(clone: Clone): Forge {
  const commits = directCommits(clone);
  return {
    look: async (_prefixes, run) => ({ base: await commits.base(run), hasPulls: false, proposals: [] }),
    propose: async (draft, _known, run) => {
      const { branch, commit } = await commits.commit(draft, run);
      return { branch, tip: commit, pull: undefined, digest: draft.digest };
    },
    close: ({ branch }) =>
      Promise.reject(new Fault("CONFIGURATION", `${branch} is committed, and no proposal that could be closed.`)),
    merge: ({ tip }) => Promise.resolve({ kind: "merged", commit: tip }),
    mergeTimes: () => Promise.resolve(new Map()),
  };
}
