import { Fault, type Run } from "../../ports.ts";
import type { TreeChange } from "../content.ts";
import type { GithubCall } from "./faults.ts";
import type { GitHubTreeEntry, GitHubRepository } from "./repository.ts";

/** More folders than any proposal changes, to end a comparison with a tree that has nothing in common. */
const MOST_FOLDERS = 200;

const FOLDER = "040000";

/** The files, links and submodules that differ between two trees. */
export async function treeChanges(
  repository: GitHubRepository,
  from: string,
  to: string,
  run: Run,
): Promise<readonly TreeChange[]> {
  const changes: TreeChange[] = [];
  const folders: FolderPair[] = from === to ? [] : [{ place: "", before: from, now: to }];
  for (const [index, { place, before, now }] of folders.entries()) {
    if (index === MOST_FOLDERS) return [...changes, { path: `${place}…`, entry: undefined }];
    const [old, young] = [await readTreeFolder(repository, before, run), await readTreeFolder(repository, now, run)];
    for (const name of new Set([...old.keys(), ...young.keys()])) {
      const pair = { path: `${place}${name}`, was: old.get(name), is: young.get(name) };
      changes.push(...fileChange(pair));
      folders.push(...folderChange(pair));
    }
  }
  return changes;
}

/** A folder in both trees; `undefined` where it is missing. */
interface FolderPair {
  /** Its path with "/" at the end; empty at the top. */
  readonly place: string;
  readonly before: string | undefined;
  readonly now: string | undefined;
}

/** An entry in both trees. */
interface EntryPair {
  readonly path: string;
  readonly was: GitHubTreeEntry | undefined;
  readonly is: GitHubTreeEntry | undefined;
}

function fileChange({ path, was, is }: EntryPair): readonly TreeChange[] {
  const [before, now] = [was, is].map((entry) => (entry?.mode === FOLDER ? undefined : entry));
  return before?.id === now?.id && before?.mode === now?.mode ? [] : [{ path, entry: now }];
}

function folderChange({ path, was, is }: EntryPair): readonly FolderPair[] {
  const [before, now] = [was, is].map((entry) => (entry?.mode === FOLDER ? entry.id : undefined));
  return before === now ? [] : [{ place: `${path}/`, before, now }];
}

/** The entry at a path of a tree; `undefined` if there is none. */
export async function entryAt(
  repository: GitHubRepository,
  tree: string,
  [name = "", ...rest]: readonly string[],
  run: Run,
): Promise<GitHubTreeEntry | undefined> {
  const entry = (await readTreeFolder(repository, tree, run)).get(name);
  if (rest.length === 0 || entry === undefined) return entry;
  return entry.mode === FOLDER ? entryAt(repository, entry.id, rest, run) : undefined;
}

/** The entries of a tree, which never change: read once in a run. */
async function readTreeFolder(
  { github, folders }: GitHubRepository,
  tree: string | undefined,
  run: Run,
): Promise<ReadonlyMap<string, GitHubTreeEntry>> {
  if (tree === undefined) return new Map();
  const known = folders.get(tree);
  if (known !== undefined) return known;
  const act: GithubCall = { doing: `Reading the folder ${tree}`, kind: "read", permission: "contents: read" };
  const answer = await github.ask(act, (rest, place) => rest.git.getTree({ ...place, tree_sha: tree }), run);
  if (answer.truncated) {
    const message = `${github.repository} has a folder (${tree}) with more entries than GitHub lists. Split it.`;
    throw new Fault("FORGE_REFUSED", message);
  }
  const entries = new Map<string, GitHubTreeEntry>();
  for (const { path, mode, sha } of answer.tree) {
    // GitHub shows different names that are not UTF-8 as one.
    entries.set(entries.has(path) ? `${path} ${sha}` : path, { mode, id: sha });
  }
  folders.set(tree, entries);
  return entries;
}
