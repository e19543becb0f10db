import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runInShell } from "../../support/shell.ts";

/** Who did something to a commit, and when (ISO 8601, whole seconds, UTC). */
export interface Signature {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

/** A commit without its name. */
export interface CommitContent {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/** A commit of the repository. */
export interface CommitObject extends CommitContent {
  readonly sha: string;
}

/** An entry of a tree. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  readonly size?: number;
}

/** A change to a tree: what lies at `path` then; `undefined` deletes. */
export interface TreeChange {
  readonly path: string;
  readonly object: { readonly mode: string; readonly sha: string } | undefined;
}

/** A bare Git repository on disk, used through git's plumbing; each call ends before it returns. */
export interface BareGit {
  /** Every ref (`refs/heads/main`) and what it points at, sorted. */
  readonly refs: () => ReadonlyMap<string, string>;
  /** `blob`, `tree`, `commit`, `tag`; `undefined` when there is no such object. */
  readonly typeOf: (sha: string) => string | undefined;
  readonly commit: (sha: string) => CommitObject;
  readonly tree: (sha: string, isRecursive: boolean) => readonly TreeEntry[];
  readonly blob: (sha: string) => Buffer;
  readonly writeBlob: (content: Buffer) => string;
  /** A tree: `base` with changes; `undefined` when what is to be deleted is not there. */
  readonly writeTree: (base: string | undefined, changes: readonly TreeChange[]) => string | undefined;
  readonly writeCommit: (commit: CommitContent) => string;
  /** Sets a ref, or deletes it, only when it is at `from` (`undefined`: only when there is none); says whether it did. */
  readonly moveRef: (ref: string, to: string | undefined, from: string | undefined) => boolean;
  readonly isRefName: (ref: string) => boolean;
  readonly isAncestor: (ancestor: string, descendant: string) => boolean;
  /** Where two commits parted; `undefined` without a common one. */
  readonly fork: (one: string, other: string) => string | undefined;
  /** The commits of `head` that `base` has not, oldest first. */
  readonly between: (base: string, head: string) => readonly string[];
  /** The tree of both together; `undefined` when they conflict. */
  readonly merge: (ours: string, theirs: string) => string | undefined;
  /** Added lines, deleted lines and files from where `head` left `base`. */
  readonly changes: (base: string, head: string) => readonly { readonly added: number; readonly deleted: number }[];
}

const NO_COMMIT = "0".repeat(40);
const ENVIRONMENT = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly trouble: string;
}

type Command = (args: readonly string[], input?: Buffer | string, index?: string) => Outcome;

/** Opens a bare repository. */
export function bareGit(path: string): BareGit {
  const tryGit: Command = (args, input, index) => {
    const env = { ...ENVIRONMENT, ...(index !== undefined && { GIT_INDEX_FILE: index }) };
    const task = { program: "git", args: ["--git-dir", path, ...args], cwd: path, env, input };
    const { status, stdout, stderr } = runInShell(task);
    return { status, text: stdout.toString(), trouble: stderr };
  };
  const git = (args: readonly string[], input?: Buffer | string, index?: string): string => {
    const { status, text, trouble } = tryGit(args, input, index);
    if (status !== 0) throw new Error(`git ${args.join(" ")} in ${path}: ${trouble}`);
    return text.trim();
  };
  const ask = remembering(tryGit);
  const object = objectsOf(tryGit);
  return {
    refs: () => refsBelow(path),
    typeOf: (sha) => object(sha)?.type,
    commit: (sha) => parseCommit(sha, object(sha)?.text ?? ""),
    tree: (sha, isRecursive) =>
      linesOf(git(["ls-tree", "-l", ...(isRecursive ? ["-r", "-t"] : []), sha]).replaceAll("\0", "\n")).map(parseEntry),
    blob: (sha) => Buffer.from(object(sha)?.text ?? ""),
    writeBlob: (content) => git(["hash-object", "-w", "--stdin"], content),
    writeTree: (base, changes) => {
      const entries = changedEntries((tree) => ask(["ls-tree", "-r", "-z", tree]).text, base, changes);
      return entries && writeTree(git, entries);
    },
    writeCommit: (commit) => git(["hash-object", "-w", "-t", "commit", "--stdin"], printCommit(commit)),
    moveRef: (ref, to, from) => {
      const change = to === undefined ? ["-d", ref, from ?? NO_COMMIT] : [ref, to, from ?? NO_COMMIT];
      return tryGit(["update-ref", ...change]).status === 0;
    },
    isRefName: (ref) => tryGit(["check-ref-format", ref]).status === 0,
    isAncestor: (ancestor, descendant) => ask(["merge-base", "--is-ancestor", ancestor, descendant]).status === 0,
    fork: (one, other) => linesOf(ask(["merge-base", one, other]).text)[0],
    between: (base, head) => linesOf(ask(["rev-list", "--reverse", "--topo-order", head, `^${base}`]).text),
    merge: (ours, theirs) => {
      const { status, text } = ask(["merge-tree", "--write-tree", ours, theirs]);
      return status === 0 ? text.trim().slice(0, 40) : undefined;
    },
    changes: (base, head) =>
      linesOf(ask(["diff", "--numstat", `${base}...${head}`]).text).map((line) => {
        const [added = "0", deleted = "0"] = line.split("\t");
        return { added: Number(added), deleted: Number(deleted) };
      }),
  };
}

/** What git says of commits by their full names stays true: it is asked once. A failure is none of its answers. */
function remembering(command: Command): (args: readonly string[]) => Outcome {
  const known = new Map<string, Outcome>();
  return (args) => {
    const question = args.join(" ");
    const outcome = known.get(question) ?? command(args);
    if (outcome.status === 0 || outcome.status === 1) known.set(question, outcome);
    return outcome;
  };
}

/** What an object is, asked for once; `undefined` when it is not there, or not named in full. */
function objectsOf(command: Command): (sha: string) => { readonly type: string; readonly text: string } | undefined {
  const known = new Map<string, { readonly type: string; readonly text: string }>();
  return (sha) => {
    if (!known.has(sha) && /^[0-9a-f]{40}$/.test(sha)) {
      const [, type, text = ""] = /^\S+ (\w+) \d+\n([^]*)\n$/.exec(command(["cat-file", "--batch"], sha).text) ?? [];
      if (type !== undefined) known.set(sha, { type, text });
    }
    return known.get(sha);
  };
}

/** Every ref, as git keeps them: packed in one file, or loose in one file each, which count more. */
function refsBelow(path: string): ReadonlyMap<string, string> {
  const packed = join(path, "packed-refs");
  const written = existsSync(packed) ? linesOf(readFileSync(packed, "utf8")).filter((line) => !/^[#^]/.test(line)) : [];
  const refs = new Map(written.map((line) => [line.slice(41), line.slice(0, 40)]));
  for (const entry of readdirSync(join(path, "refs"), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !file.endsWith(".lock")) refs.set(relative(path, file), readFileSync(file, "utf8").trim());
  }
  return new Map([...refs].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Mode and name of the object at each path of `base` with changes; `undefined` when what is to be deleted is not there. */
function changedEntries(
  list: (tree: string) => string,
  base: string | undefined,
  changes: readonly TreeChange[],
): ReadonlyMap<string, string> | undefined {
  const entries = new Map<string, string>();
  const add = (tree: string, folder: string): void => {
    for (const [, mode = "", sha = "", path = ""] of list(tree).matchAll(/(\d+) \w+ (\w+)\t([^\0]*)\0/g))
      entries.set(`${folder}${path}`, `${mode} ${sha}`);
  };
  if (base !== undefined) add(base, "");
  for (const { path, object } of changes) {
    const standing = [...entries.keys()].filter((name) => name === path || name.startsWith(`${path}/`));
    if (object === undefined && standing.length === 0) return undefined;
    for (const name of standing) entries.delete(name);
    if (object?.mode === "040000") add(object.sha, `${path}/`);
    else if (object !== undefined) entries.set(path, `${object.mode} ${object.sha}`);
  }
  return entries;
}

function writeTree(
  git: (args: readonly string[], input?: string, index?: string) => string,
  entries: ReadonlyMap<string, string>,
): string {
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-double-"));
  const index = join(folder, "index");
  try {
    const lines = [...entries].map(([path, object]) => `${object}\t${path}\0`);
    git(["update-index", "-z", "--index-info"], lines.join(""), index);
    return git(["write-tree"], "", index);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function parseEntry(line: string): TreeEntry {
  const [, mode = "", type = "", sha = "", size = "-", path = ""] = /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/.exec(line) ?? [];
  return { path, mode, type, sha, ...(size !== "-" && { size: Number(size) }) };
}

function parseCommit(sha: string, text: string): CommitObject {
  const end = text.indexOf("\n\n");
  const header = text.slice(0, end).split("\n");
  const valuesOf = (key: string): readonly string[] =>
    header.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  return {
    sha,
    tree: valuesOf("tree")[0] ?? "",
    parents: valuesOf("parent"),
    author: parseSignature(valuesOf("author")[0] ?? ""),
    committer: parseSignature(valuesOf("committer")[0] ?? ""),
    message: text.slice(end + 2),
  };
}

function parseSignature(text: string): Signature {
  const [, name = "", email = "", seconds = "0"] = /^(.*) <(.*)> (\d+) [+-]\d{4}$/.exec(text) ?? [];
  return { name, email, date: instant(Number(seconds) * 1000) };
}

function printCommit({ tree, parents, author, committer, message }: CommitContent): string {
  const sign = ({ name, email, date }: Signature): string =>
    `${name} <${email}> ${Math.floor(Date.parse(date) / 1000)} +0000`;
  const header = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  return [...header, `author ${sign(author)}`, `committer ${sign(committer)}`, "", message].join("\n");
}

/** A moment as GitHub writes it: whole seconds, UTC. */
export function instant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
}
