import { Fault, type KeptBranch, type Run } from "../../ports.ts";
import { makeCommit } from "./commit.ts";
import { fetchFailed, fetchProblem, push, type RemoteBranch, remoteName, remoteTip } from "./remote.ts";
import type { Repository } from "./repository.ts";
import { whereItPushes } from "./target.ts";

const DEADLINE_MS = 60_000;

/**
 * Opens a branch of a remote, which is a name, an address or a path; by default `origin`, or this repository if there
 * is no `origin`. Fetched and new commits get no ref in the clone.
 */
export async function openKeptBranch(
  repository: Repository,
  { branch, remote }: { readonly branch: string; readonly remote: string | undefined },
  run: Run,
): Promise<KeptBranch> {
  const named = remote ?? ((await repository.lines(["remote"], run)).includes("origin") ? "origin" : ".");
  const target = await whereItPushes({ repository, remote: named, branch, deadlineMs: DEADLINE_MS }, run);
  return { ...keptBranch(target), ...(named === "." && { name: branch }) };
}

/** A branch of a remote. Fetched commits get the ref `ref` in the clone, if given. */
export function keptBranch(target: RemoteBranch, ref?: string): KeptBranch {
  return {
    name: `${target.branch} at ${remoteName(target)}`,
    fetch: (run) => fetchTip(target, ref, run),
    append: async (tip, draft, run) => {
      const commit = await makeCommit(target.repository, draft, tip === undefined ? [] : [tip], run);
      return (await land(target, commit, tip, run)) ? commit : undefined;
    },
  };
}

async function fetchTip(target: RemoteBranch, ref: string | undefined, run: Run): Promise<string | undefined> {
  const tip = await remoteTip(target, run);
  if (tip === undefined) return undefined;
  const wanted = `refs/heads/${target.branch}`;
  const spec = ref === undefined ? wanted : `+${wanted}:${ref}`;
  const problem = await fetchProblem(target, ["--", target.remote, spec], run);
  if (problem !== undefined) throw fetchFailed(target, problem);
  return target.repository.resolve(tip, run);
}

/** Pushes `commit`; returns false if the branch was not at `tip`, or another push held its lock. */
async function land(target: RemoteBranch, commit: string, tip: string | undefined, run: Run): Promise<boolean> {
  const outcome = await push(target, commit, tip ?? "", run);
  if (outcome.kind === "pushed") return true;
  // The answer may be lost after the branch moved.
  const now = await remoteTip(target, run);
  if (now === commit) return true;
  if (now !== tip || (outcome.kind === "declined" && LOCKED.test(outcome.words))) return false;
  if (outcome.kind === "unclear") throw outcome.fault;
  throw new Fault(
    "FORGE_REFUSED",
    `The remote ${remoteName(target)} declined a commit on ${target.branch}: ${outcome.words}. Allow this user to push there.`,
  );
}

/** Git's messages for concurrent pushes. */
const LOCKED = /cannot lock ref|failed to update ref|unable to lock/i;
