import { Fault, type Run } from "../../ports.ts";
import type { BatchCommand } from "./batch.ts";
import { FOLDER, SUBMODULE, SYMLINK } from "./link.ts";
import type { GitTreeEntry } from "./objects.ts";
import type { Repository } from "./repository.ts";

/**
 * Adds blobs at their paths to `tree` (empty: none) and returns the new tree. Git writes folders without an index: a
 * temporary one would list every file of the repository and remain after a kill. Throws CONFIGURATION if a folder of a
 * path is a file or a link, or a file is a folder.
 */
export async function treeWith(
  repository: Repository,
  tree: string,
  blobs: ReadonlyMap<string, string>,
  run: Run,
): Promise<string> {
  // `--missing` keeps Git from fetching every file of a folder in a partial clone.
  const writer = repository.batch(["mktree", "-z", "--missing", "--batch"]);
  try {
    let made = tree;
    for (const [path, blob] of blobs) made = await withFile({ repository, writer }, made, path.split("/"), blob, run);
    return made;
  } finally {
    writer.end();
  }
}

interface Trees {
  readonly repository: Repository;
  readonly writer: BatchCommand;
}

async function withFile(
  trees: Trees,
  tree: string,
  [name = "", ...rest]: readonly string[],
  blob: string,
  run: Run,
): Promise<string> {
  const entries = tree === "" ? [] : (await trees.repository.objects.tree(tree, run)).entries;
  const bytes = Buffer.from(name);
  const there = entries.find((entry) => entry.name.equals(bytes));
  if (there !== undefined) refuseOther(name, there.mode, rest.length > 0);
  const entry =
    rest.length === 0
      ? { mode: "100644", id: blob, name: bytes }
      : { mode: FOLDER, id: await withFile(trees, there?.id ?? "", rest, blob, run), name: bytes };
  const request = requestFor([...entries.filter((other) => other !== there), entry]);
  return trees.writer.ask(request, (output) => output.line(), run);
}

const KINDS: Readonly<Record<string, string>> = { [FOLDER]: "tree", [SUBMODULE]: "commit" };

/** What mktree reads of a folder: its entries, each ended by a NUL, and an empty one. */
function requestFor(entries: readonly GitTreeEntry[]): Buffer {
  const lines = entries.flatMap(({ mode, id, name }) => [
    Buffer.from(`${mode} ${KINDS[mode] ?? "blob"} ${id}\t`),
    name,
    Buffer.of(0),
  ]);
  return Buffer.concat([...lines, Buffer.of(0)]);
}

/** Refuses to replace an entry of another kind: it would vanish with everything in it. */
function refuseOther(name: string, mode: string, wantsFolder: boolean): void {
  if ((mode === FOLDER) === wantsFolder && mode !== SUBMODULE) return;
  const what = mode === SYMLINK ? "link" : mode === FOLDER ? "folder" : mode === SUBMODULE ? "submodule" : "file";
  throw new Fault("CONFIGURATION", `${name} is a ${what} in Git. Make it a ${wantsFolder ? "folder" : "file"}.`);
}
