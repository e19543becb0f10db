import { Fault, type Run } from "../../ports.ts";
import type { BatchCommand, BatchOutput } from "./batch.ts";
import { SYMLINK, type TreeEntry } from "./link.ts";

/** The mode of a folder. */
export const FOLDER = "040000";
/** The mode of a submodule: a commit of another repository, which is not a file. */
export const SUBMODULE = "160000";

/** A folder of a commit. */
export interface Tree {
  readonly id: string;
  readonly entries: readonly FolderEntry[];
}

/** An entry of a folder: a file, a link, a submodule or a folder. */
export interface FolderEntry extends TreeEntry {
  /** The bytes that Git has, which need not be UTF-8. */
  readonly name: Buffer;
}

interface GitObject {
  readonly id: string;
  /** `blob`, `tree` or `commit`; `missing` if there is none. */
  readonly kind: string;
  readonly bytes: Buffer;
}

/**
 * Reads the objects of a repository with a process of Git that stays for the next request: a command reads several
 * revisions in turn, and to start a process takes longer than to read a catalogue from it.
 */
export class ObjectReader {
  readonly #command: BatchCommand;

  /** `command` is `git cat-file --batch`. */
  constructor(command: BatchCommand) {
    this.#command = command;
  }

  /** The content of the blobs with these names; an abort ends the process. Throws GIT_FAILED. */
  async blobs(names: readonly string[], run: Run): Promise<ReadonlyMap<string, Buffer>> {
    const found = await this.#read(names, run);
    return new Map([...found].map(([name, object]) => [name, required("blob", name, object).bytes]));
  }

  /** The folders with these names. Throws GIT_FAILED. */
  async trees(names: readonly string[], run: Run): Promise<ReadonlyMap<string, Tree>> {
    const found = await this.#read(names, run);
    return new Map([...found].map(([name, object]) => [name, treeIn(name, object)]));
  }

  /** The folder with this name; `COMMIT^{tree}` is the top of a commit. Throws GIT_FAILED. */
  async tree(name: string, run: Run): Promise<Tree> {
    return treeIn(name, (await this.#read([name], run)).get(name));
  }

  /** The commit that a ref names as of now; `undefined` if there is none. Throws GIT_FAILED. */
  async commit(ref: string, run: Run): Promise<string | undefined> {
    const found = (await this.#read([ref], run)).get(ref);
    return found?.kind === "commit" ? found.id : undefined;
  }

  async #read(names: readonly string[], run: Run): Promise<ReadonlyMap<string, GitObject>> {
    const wanted = [...new Set(names)];
    const objects = new Map<string, GitObject>();
    if (wanted.length === 0) return objects;
    const answers = async (output: BatchOutput): Promise<typeof objects> => {
      for (const name of wanted) objects.set(name, await nextObject(output));
      return objects;
    };
    return this.#command.ask(`${wanted.join("\n")}\n`, answers, run);
  }
}

async function nextObject(output: BatchOutput): Promise<GitObject> {
  const [id = "", kind = "", size] = (await output.line()).split(" ");
  // A line feed follows the content.
  const bytes = size === undefined ? Buffer.of() : (await output.take(Number(size) + 1)).subarray(0, -1);
  return { id, kind, bytes };
}

const REMEDY = "The clone is incomplete or damaged. Check it (git fsck), or clone it again.";

function required(kind: string, name: string, object: GitObject | undefined): GitObject {
  if (object?.kind === kind) return object;
  throw new Fault("GIT_FAILED", `git cat-file: ${name} is ${object?.kind ?? "missing"}. ${REMEDY}`);
}

/** Each entry of a tree is a mode, a space, a name, a NUL, and an id of as many bytes as the tree's own has. */
function treeIn(named: string, object: GitObject | undefined): Tree {
  const { id, bytes } = required("tree", named, object);
  const entries: FolderEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(" ", at);
    const zero = bytes.indexOf(0, space);
    const end = zero + 1 + id.length / 2;
    if (space < 0 || zero < space || end > bytes.length)
      throw new Fault("GIT_FAILED", `git cat-file: the tree ${id} is malformed. ${REMEDY}`);
    entries.push({
      mode: modeOf(bytes.toString("latin1", at, space)),
      name: bytes.subarray(space + 1, zero),
      id: bytes.toString("hex", zero + 1, end),
    });
    at = end;
  }
  return { id, entries };
}

/** The mode that Git takes for one of a tree, which some programs wrote with other permissions. */
function modeOf(octal: string): string {
  const bits = Number.parseInt(octal, 8);
  const mode = { 0o040000: FOLDER, 0o100000: bits & 0o100 ? "100755" : "100644", 0o120000: SYMLINK }[bits & 0o170000];
  return mode ?? SUBMODULE;
}
