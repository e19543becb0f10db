import { Fault, type Run } from "../../ports.ts";
import { isAncestor } from "./ancestry.ts";
import { keptTip } from "./keptTip.ts";
import { remoteName, remoteTips, type RemoteBranch } from "./remote.ts";

/**
 * Refuses to act where a remote has more of these branches than the clone: what would have been decided with them is not
 * known. `heeded` as patterns of names. Throws FORGE_CONFLICT, FORGE_UNREACHABLE, FORGE_UNAUTHORIZED, FORGE_TIMEOUT.
 */
export async function refuseUnfetched(remote: RemoteBranch, heeded: readonly string[], run: Run): Promise<void> {
  if (heeded.length === 0) return;
  for (const [branch, tip] of await remoteTips(remote, heeded, run)) {
    if (await isHere({ ...remote, branch }, tip, run)) continue;
    const fetch = `git fetch ${remoteName(remote)} ${branch}:${branch}`;
    throw new Fault(
      "FORGE_CONFLICT",
      `The branch ${branch} at the remote ${remoteName(remote)} has what this clone has not, and it may decide otherwise. Take it (${fetch}), then run the command again.`,
    );
  }
}

/** A branch counts as `keptTip` takes it. */
async function isHere({ repository, branch }: RemoteBranch, tip: string, run: Run): Promise<boolean> {
  const here = await keptTip(repository, branch, run);
  return here !== undefined && (await isAncestor(repository, tip, here, run));
}
