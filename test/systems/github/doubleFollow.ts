import { startChecks } from "./doubleChecks.ts";
import { dequeue } from "./doubleQueue.ts";
import type { Actor, Pull, World } from "./doubleWorld.ts";

/**
 * Does what GitHub does when branches moved: the head of an open pull request follows its branch, and starts checks
 * unless `actor` is the workflow; without its branch it is closed; contained in its base it is merged.
 */
export function follow(world: World, actor: Actor): void {
  const open = world.state.pulls.filter(({ state }) => state === "open");
  if (open.length === 0) return;
  const refs = world.refs();
  for (const pull of open) {
    const head = refs.get(`refs/heads/${pull.head}`);
    const base = refs.get(`refs/heads/${pull.base}`);
    if (head === undefined || base === undefined) close(world, pull);
    else if (head !== pull.headSha || base !== pull.baseSha) moved(world, pull, { head, base, actor });
  }
}

function moved(
  world: World,
  pull: Pull,
  now: { readonly head: string; readonly base: string; readonly actor: Actor },
): void {
  const { head, base, actor } = now;
  const isContained = world.git.isAncestor(head, base);
  if (isContained && head === pull.headSha) {
    recordMerge(world, pull, { commit: head, introduced: world.git.between(pull.baseSha, head), by: actor });
    return;
  }
  if (head !== pull.headSha) {
    pull.headSha = head;
    pull.timeline.push({ kind: "PullRequestCommit" });
    dequeue(world, pull, "manual");
    pull.updatedAtMs = world.now();
    if (isContained) close(world, pull);
    else startChecks(world, head, actor);
  }
  pull.baseSha = base;
}

/** Closes a pull request, which takes it out of the merge queue. */
export function close(world: World, pull: Pull): void {
  dequeue(world, pull, "manual");
  pull.state = "closed";
  pull.closedAtMs = world.now();
  pull.updatedAtMs = world.now();
}

/** Marks a pull request as merged. */
export function recordMerge(
  world: World,
  pull: Pull,
  merge: { readonly commit: string; readonly introduced: readonly string[]; readonly by: Actor },
): void {
  close(world, pull);
  pull.mergedAtMs = world.now();
  pull.mergedBy = merge.by;
  pull.mergeCommit = merge.commit;
  pull.introduced = merge.introduced;
}
