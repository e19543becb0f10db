import { Fault, type Run } from "../../ports.ts";
import type { BatchProcess } from "./batch.ts";
import { SYMLINK } from "./link.ts";
import { FOLDER, type FolderEntry } from "./objects.ts";
import { SUBMODULE } from "./revision.ts";
import type { Repository } from "./repository.ts";

/**
 * Writes the folders of a commit with one process of Git, without an index: a temporary one would list every file of the
 * repository and remain after a kill.
 */
export class TreeWriter {
  readonly #repository: Repository;
  #process: BatchProcess | undefined;

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  /**
   * Adds `blob` at a path to `tree` (empty: none) and returns the new tree. Throws CONFIGURATION if a folder of the path
   * is a file or a link, or the file is a folder.
   */
  async withFile(tree: string, [name = "", ...rest]: readonly string[], blob: string, run: Run): Promise<string> {
    const entries = tree === "" ? [] : (await this.#repository.objects.tree(tree, run)).entries;
    const bytes = Buffer.from(name);
    const there = entries.find((entry) => entry.name.equals(bytes));
    if (there !== undefined) refuseOther(name, there.mode, rest.length > 0);
    const entry =
      rest.length === 0
        ? { mode: "100644", id: blob, name: bytes }
        : { mode: FOLDER, id: await this.withFile(there?.id ?? "", rest, blob, run), name: bytes };
    return this.#write([...entries.filter((other) => other !== there), entry], run);
  }

  /** Ends the process. */
  end(): void {
    this.#process?.end();
  }

  async #write(entries: readonly FolderEntry[], run: Run): Promise<string> {
    // `--missing` keeps Git from fetching every file of the folder in a partial clone.
    const process = (this.#process ??= this.#repository.batch(["mktree", "-z", "--missing", "--batch"]));
    const lines = entries.flatMap(({ mode, id, name }) => [
      Buffer.from(`${mode} ${kindOf(mode)} ${id}\t`),
      name,
      Buffer.of(0),
    ]);
    return process.ask(Buffer.concat([...lines, Buffer.of(0)]), () => process.line(), run);
  }
}

function kindOf(mode: string): string {
  if (mode === FOLDER) return "tree";
  return mode === SUBMODULE ? "commit" : "blob";
}

/** Refuses to replace an entry of another kind: it would vanish with everything in it. */
function refuseOther(name: string, mode: string, wantsFolder: boolean): void {
  if ((mode === FOLDER) === wantsFolder && mode !== SUBMODULE) return;
  const what = mode === SYMLINK ? "link" : mode === FOLDER ? "folder" : mode === SUBMODULE ? "submodule" : "file";
  throw new Fault("CONFIGURATION", `${name} is a ${what} in Git. Make it a ${wantsFolder ? "folder" : "file"}.`);
}
