import { Fault, type Run } from "../../ports.ts";
import type { BatchCommand, BatchOutput } from "./batch.ts";
import { FOLDER, SUBMODULE, SYMLINK, type TreeEntry } from "./link.ts";

/** A folder of a commit. */
export interface Tree {
  readonly id: string;
  readonly entries: readonly GitTreeEntry[];
}

/** An entry of a folder: a file, a link, a submodule or a folder. */
export interface GitTreeEntry extends TreeEntry {
  /** The bytes that Git has, which need not be UTF-8. */
  readonly name: Buffer;
}

interface GitObject {
  readonly id: string;
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
    const found = await this.#read("blob", names, run);
    return new Map([...found].map(([name, { bytes }]) => [name, bytes]));
  }

  /** The folders with these names. Throws GIT_FAILED. */
  async trees(names: readonly string[], run: Run): Promise<ReadonlyMap<string, Tree>> {
    const found = await this.#read("tree", names, run);
    return new Map([...found].map(([name, object]) => [name, treeIn(object)]));
  }

  /** The folder with this name; `COMMIT^{tree}` is the top of a commit. Throws GIT_FAILED. */
  async tree(name: string, run: Run): Promise<Tree> {
    return treeIn(await this.#command.ask(`${name}\n`, (output) => nextObject("tree", output), run));
  }

  async #read(kind: string, names: readonly string[], run: Run): Promise<ReadonlyMap<string, GitObject>> {
    const wanted = [...new Set(names)];
    if (wanted.length === 0) return new Map();
    const answers = async (output: BatchOutput): Promise<ReadonlyMap<string, GitObject>> => {
      const objects = new Map<string, GitObject>();
      for (const name of wanted) objects.set(name, await nextObject(kind, output));
      return objects;
    };
    return this.#command.ask(`${wanted.join("\n")}\n`, answers, run);
  }
}

const REMEDY = "The clone is incomplete or damaged. Check it (git fsck), or clone it again.";

/** Throws GIT_FAILED for another kind: a process that has stayed may know a repository that has been replaced since. */
async function nextObject(wanted: string, output: BatchOutput): Promise<GitObject> {
  const [id = "", kind = "", size = ""] = (await output.line()).split(" ");
  if (kind !== wanted) throw new Fault("GIT_FAILED", `git cat-file: ${id} is ${kind}. ${REMEDY}`);
  // A line feed follows the content.
  return { id, bytes: (await output.take(Number(size) + 1)).subarray(0, -1) };
}

/** Each entry of a tree is a mode, a space, a name, a NUL, and an id of as many bytes as the tree's own has. */
function treeIn({ id, bytes }: GitObject): Tree {
  const entries: GitTreeEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(" ", at);
    const zero = bytes.indexOf(0, space);
    const end = zero + 1 + id.length / 2;
    const mode = bytes.toString("latin1", at, space);
    if (!/^[0-7]+$/.test(mode) || zero < space + 2 || end > bytes.length)
      throw new Fault("GIT_FAILED", `git cat-file: the tree ${id} is malformed. ${REMEDY}`);
    entries.push({
      mode: objectMode(mode),
      name: bytes.subarray(space + 1, zero),
      id: bytes.toString("hex", zero + 1, end),
    });
    at = end;
  }
  return { id, entries };
}

/** The mode that Git takes for one of a tree, which some programs wrote with other permissions. */
function objectMode(octal: string): string {
  const bits = Number.parseInt(octal, 8);
  const mode = { 0o040000: FOLDER, 0o100000: bits & 0o100 ? "100755" : "100644", 0o120000: SYMLINK }[bits & 0o170000];
  return mode ?? SUBMODULE;
}
