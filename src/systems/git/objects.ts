import { Fault, type Run } from "../../ports.ts";
import type { BatchProcess } from "./batch.ts";
import type { TreeEntry } from "./link.ts";

/** The mode of a folder. */
export const FOLDER = "040000";

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
  readonly #start: () => BatchProcess;
  #process: BatchProcess | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** `start` starts `git cat-file --batch`. */
  constructor(start: () => BatchProcess) {
    this.#start = start;
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
    if (wanted.length === 0) return new Map();
    const turn = this.#turn.then(() => this.#ask(wanted, run));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #ask(names: readonly string[], run: Run): Promise<ReadonlyMap<string, GitObject>> {
    // It may have ended since the last request, by Ctrl-C for example. If it failed, a new process tells why.
    const objects = await (this.#process && askFor(names, this.#process, run).catch(unlessLate));
    if (objects !== undefined) return objects;
    this.#process = this.#start();
    return askFor(names, this.#process, run);
  }
}

function unlessLate(error: unknown): undefined {
  if (error instanceof Fault && error.retry) throw error;
}

function askFor(names: readonly string[], process: BatchProcess, run: Run): Promise<ReadonlyMap<string, GitObject>> {
  const answer = async (): Promise<ReadonlyMap<string, GitObject>> => {
    const objects = new Map<string, GitObject>();
    for (const name of names) objects.set(name, await nextObject(process));
    return objects;
  };
  return process.ask(`${names.join("\n")}\n`, answer, run);
}

async function nextObject(process: BatchProcess): Promise<GitObject> {
  const [id = "", kind = "", size] = (await process.line()).split(" ");
  // A line feed follows the content.
  const bytes = size === undefined ? Buffer.of() : (await process.take(Number(size) + 1)).subarray(0, -1);
  return { id, kind, bytes };
}

function required(kind: string, name: string, object: GitObject | undefined): GitObject {
  if (object?.kind === kind) return object;
  const found = object?.kind ?? "missing";
  throw new Fault("GIT_FAILED", `git cat-file: ${name} is ${found}. The clone is not complete: git fetch.`);
}

/** Each entry of a tree is a mode, a space, a name, a NUL, and an id of as many bytes as the tree's own has. */
function treeIn(named: string, object: GitObject | undefined): Tree {
  const { id, bytes } = required("tree", named, object);
  const entries: FolderEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(" ", at);
    const start = bytes.indexOf(0, space) + 1;
    const end = start + id.length / 2;
    entries.push({
      mode: bytes.toString("latin1", at, space).padStart(6, "0"),
      name: bytes.subarray(space + 1, start - 1),
      id: bytes.toString("hex", start, end),
    });
    at = end;
  }
  return { id, entries };
}
