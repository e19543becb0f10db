import { Fault, type Run } from "../../ports.ts";
import { type RemoteBranch, remoteTip } from "./remote.ts";
import type { Repository } from "./repository.ts";

/** A clone and the branch to commit to. */
interface DirectClone {
  readonly repository: Repository;
  /** The name of a branch of the clone or of a remote. */
  readonly baseRevision: string;
  /** Timeout of one call of the remote, in milliseconds. */
  readonly deadlineMs: number;
}

/** The branch that commits go to directly. */
export interface DirectTarget {
  /** Its name at the remote, or in the clone without a remote. */
  readonly branch: string;
  /** The branch of the clone; `undefined` if the base is a remote branch. */
  readonly local: string | undefined;
  /** The remote branch; `undefined` if there is none. */
  readonly remote: RemoteBranch | undefined;
}

/**
 * Finds the branch that `baseRevision` names, and its remote: its upstream, else `origin`.
 * Throws CONFIGURATION if it is not a branch, FORGE_UNREACHABLE.
 */
export async function findTarget(clone: DirectClone, run: Run): Promise<DirectTarget> {
  const { repository, baseRevision } = clone;
  const args = ["rev-parse", "--symbolic-full-name", "--end-of-options", baseRevision];
  // Git also prints the option --end-of-options.
  const ref = (await repository.lines(args, run, MAYBE)).find((line) => line.startsWith("refs/")) ?? "";
  const isLocal = ref.startsWith(LOCAL);
  const target = isLocal ? await ofLocal(clone, ref.slice(LOCAL.length), run) : await ofTracking(clone, ref, run);
  if (target !== undefined) return { ...target, remote: target.remote && (await whereItPushes(target.remote, run)) };
  throw new Fault(
    "CONFIGURATION",
    `${baseRevision} is not a branch in ${repository.directory}, so commits cannot be added to it. Switch to a branch (git switch main), or omit --direct.`,
  );
}

const LOCAL = "refs/heads/";
/** Accepts missing configuration. */
const MAYBE = { accepted: [1, 2, 128] };

/** Replaces a remote by its push address, if that differs from its fetch address. */
export async function whereItPushes(target: RemoteBranch, run: Run): Promise<RemoteBranch> {
  const { repository, remote } = target;
  const [read] = await repository.lines(["remote", "get-url", remote], run, MAYBE);
  const [written = read] = await repository.lines(["remote", "get-url", "--push", remote], run, MAYBE);
  return written === undefined || written === read ? target : { ...target, remote: written };
}

async function ofLocal({ repository, deadlineMs }: DirectClone, local: string, run: Run): Promise<DirectTarget> {
  const [remote = "."] = await repository.lines(["config", "--get", `branch.${local}.remote`], run, MAYBE);
  const [merge = ""] = await repository.lines(["config", "--get", `branch.${local}.merge`], run, MAYBE);
  // "." is a branch of this clone.
  if (remote !== "." && merge.startsWith(LOCAL)) {
    const branch = merge.slice(LOCAL.length);
    return { branch, local, remote: { repository, remote, branch, deadlineMs } };
  }
  const origin = { repository, remote: "origin", branch: local, deadlineMs };
  const isShared =
    (await repository.lines(["remote"], run, MAYBE)).includes("origin") && (await remoteTip(origin, run)) !== undefined;
  return { branch: local, local, remote: isShared ? origin : undefined };
}

async function ofTracking(
  { repository, deadlineMs }: DirectClone,
  ref: string,
  run: Run,
): Promise<DirectTarget | undefined> {
  const remotes = await repository.lines(["remote"], run, MAYBE);
  const remote = remotes.find((name) => ref.startsWith(`refs/remotes/${name}/`));
  if (remote === undefined) return undefined;
  const branch = ref.slice(`refs/remotes/${remote}/`.length);
  return { branch, local: undefined, remote: { repository, remote, branch, deadlineMs } };
}
