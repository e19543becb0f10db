import { createHash } from "node:crypto";
import type { ProposalDraft, Run } from "../../ports.ts";
import { FILE_MODE, type TreeChange } from "../content.ts";
import { commitTree } from "./commits.ts";
import { type PullNow, readPull, type TestMerge } from "./pullNow.ts";
import type { GitHubRepository } from "./repository.ts";
import { entryAt, treeChanges } from "./trees.ts";

/** Maximum of requests for the merge state: GitHub computes it only after the first request. */
export const LOOKS = 4;

/**
 * Why the merge of a pull request would not bring exactly the files of its draft to the base commit `before`, as a clause.
 * Judges the tree that GitHub itself would merge: whatever the history of the branch is, nothing else comes with it.
 */
export async function whyNotExact(
  repository: GitHubRepository,
  pull: PullNow,
  { before, draft }: { readonly before: string; readonly draft: ProposalDraft },
  run: Run,
): Promise<string | undefined> {
  const test = await readTestMerge(repository, pull, before, run);
  if (test === undefined) return `GitHub has not computed yet what its merge would bring to ${repository.base}`;
  const base = await commitTree(repository, before, run);
  const changes = await treeChanges(repository, base, test.tree, run);
  const wanted = new Map([...draft.files].map(([path, text]) => [repository.prefix + path, blobId(text)]));
  const foreign = changes.filter(({ path, entry }) => entry?.mode !== FILE_MODE || entry.id !== wanted.get(path));
  if (foreign.length > 0) return `its merge would also change ${namedPaths(foreign)}, which was not decided`;
  for (const [path, id] of wanted) {
    const entry = await entryAt(repository, test.tree, path.split("/"), run);
    if (entry?.id !== id) return `its merge would not bring the decided content of ${path}`;
  }
  return undefined;
}

/** The test merge of exactly this head onto the base commit. After a move of the base, GitHub has to make a new one. */
async function readTestMerge(
  repository: GitHubRepository,
  pull: PullNow,
  base: string,
  run: Run,
): Promise<TestMerge | undefined> {
  const { clock, retryPolicy } = repository.github;
  for (let [now, look] = [pull, 1]; ; look++) {
    const [onto, head] = now.testMerge?.parents ?? [];
    if (onto === base && head === pull.tip) return now.testMerge;
    if (look === LOOKS) return undefined;
    await clock.pause(retryPolicy.firstPauseMs * 2 ** look, run);
    now = await readPull(repository, pull.number, run);
  }
}

const MOST_NAMED = 5;

function namedPaths(changes: readonly TreeChange[]): string {
  const named = changes.slice(0, MOST_NAMED).map(({ path }) => path);
  return [...named, ...(changes.length > MOST_NAMED ? [`${changes.length - MOST_NAMED} more`] : [])].join(", ");
}

/** The name that Git gives the bytes of a file. */
function blobId(text: string): string {
  const bytes = Buffer.from(text);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
