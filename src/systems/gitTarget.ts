import { Fault, type Run } from "../ports.ts";
import { git } from "./git.ts";
import type { Clone } from "./gitClone.ts";
import { remoteTip, type RemoteBranch } from "./gitRemote.ts";

/** The branch that commits go to directly. */
export interface Target {
  /** Its name, where it is shared. */
  readonly branch: string;
  /** The branch of the clone; `undefined` when the base is that of a remote. */
  readonly local: string | undefined;
  /** Where it is shared; `undefined` when it is nowhere. */
  readonly remote: RemoteBranch | undefined;
}

/**
 * The branch that `baseRevision` names, and the remote that has it: its upstream, else `origin`.
 * Throws CONFIGURATION for what is no branch, FORGE_UNREACHABLE.
 */
export async function findTarget(clone: Clone, run: Run): Promise<Target> {
  const { directory, baseRevision } = clone;
  const args = ["rev-parse", "--symbolic-full-name", "--end-of-options", baseRevision];
  // Git repeats the option that ends the options.
  const ref = (await lines(directory, args, run)).find((line) => line.startsWith("refs/")) ?? "";
  const isLocal = ref.startsWith(LOCAL);
  const target = isLocal ? await ofLocal(clone, ref.slice(LOCAL.length), run) : await ofTracking(clone, ref, run);
  if (target !== undefined) return { ...target, remote: target.remote && (await whereItPushes(target.remote, run)) };
  throw new Fault(
    "CONFIGURATION",
    `${baseRevision} is no branch in ${directory}, so nothing can be committed on it. Switch to one (git switch main), or leave --direct out.`,
  );
}

const LOCAL = "refs/heads/";

/** A remote may be read at one address and written at another: what counts is the branch that is written. */
async function whereItPushes(target: RemoteBranch, run: Run): Promise<RemoteBranch> {
  const { directory, remote } = target;
  const [read] = await lines(directory, ["remote", "get-url", remote], run);
  const [written = read] = await lines(directory, ["remote", "get-url", "--push", remote], run);
  return written === undefined || written === read ? target : { ...target, remote: written };
}

async function ofLocal({ directory, deadlineMs }: Clone, local: string, run: Run): Promise<Target> {
  const [remote = "."] = await lines(directory, ["config", "--get", `branch.${local}.remote`], run);
  const [merge = ""] = await lines(directory, ["config", "--get", `branch.${local}.merge`], run);
  // "." is a branch of this very clone.
  if (remote !== "." && merge.startsWith(LOCAL)) {
    const branch = merge.slice(LOCAL.length);
    return { branch, local, remote: { directory, remote, branch, deadlineMs } };
  }
  const origin = { directory, remote: "origin", branch: local, deadlineMs };
  const isShared =
    (await lines(directory, ["remote"], run)).includes("origin") && (await remoteTip(origin, run)) !== undefined;
  return { branch: local, local, remote: isShared ? origin : undefined };
}

async function ofTracking({ directory, deadlineMs }: Clone, ref: string, run: Run): Promise<Target | undefined> {
  const remotes = await lines(directory, ["remote"], run);
  const remote = remotes.find((name) => ref.startsWith(`refs/remotes/${name}/`));
  if (remote === undefined) return undefined;
  const branch = ref.slice(`refs/remotes/${remote}/`.length);
  return { branch, local: undefined, remote: { directory, remote, branch, deadlineMs } };
}

async function lines(directory: string, args: readonly string[], run: Run): Promise<readonly string[]> {
  const { stdout } = await git(directory, args, run, { accepted: [1, 128] });
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}
