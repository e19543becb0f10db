import { mergedInto } from "../reading/overlay.ts";
import { printable } from "../document/printable.ts";
import type { Run, Source } from "../ports.ts";
import type { ChangeSince, CheckPorts } from "./compose/compose.ts";
import type { Output } from "./terminal/output.ts";

/** A change as it would be merged. */
interface OpenChange {
  readonly head: Source;
  readonly base: Source;
  /** What `filesOfHead` asks for. */
  readonly since: ChangeSince;
  /** The commit that is judged; `undefined` for the working tree. */
  readonly commit: string | undefined;
  readonly paths: readonly string[];
  /** The fork point, if the head has it as a branch that it merged. */
  readonly aside: string | undefined;
}

/**
 * Opens the change since `base`: the commits up to HEAD, as Git has them, since a merge takes only these, and a working
 * tree can show them otherwise; with `worktree`, the files of the working tree.
 */
export async function openChange(base: string, worktree: boolean, ports: CheckPorts, run: Run): Promise<OpenChange> {
  const since = await ports.changesSince(base, worktree ? "worktree" : "commits", run);
  const { fork, head, isAside, paths } = since;
  const commit = worktree ? undefined : head;
  const before = ports.openRevision(since.base);
  const after = commit === undefined ? ports.openHead() : ports.openRevision(commit);
  // The base may have newer commits than the fork point.
  const merged = fork === since.base ? after : mergedInto(before, after, paths);
  return { head: merged, base: before, since, commit, paths, aside: isAside ? fork : undefined };
}

/** Names the files of the working tree that a change since a base does not include, or that a merge would not take. */
export async function sayUncommitted(
  { base, worktree }: { readonly base?: string | undefined; readonly worktree: boolean },
  ports: CheckPorts,
  output: Output,
  run: Run,
): Promise<void> {
  if (base === undefined) return;
  const paths = await ports.uncommitted(run);
  const named = paths.map(printable).join(", ");
  if (worktree)
    output.say(`judging the working tree, not what a merge takes; not committed: ${named === "" ? "nothing" : named}`);
  else if (named !== "")
    output.say(`not judged, because not committed: ${named}. Commit, or judge the working tree (--worktree).`);
}
