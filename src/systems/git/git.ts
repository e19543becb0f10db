import { maxBytesOf, type SnapshotFile } from "../../document/snapshot.ts";
import { Fault, type Run, type Source } from "../../ports.ts";
import { isWithinRoots } from "../files/files.ts";
import { LinkFollower, SYMLINK, type LinkTarget, type TreeEntry } from "./link.ts";
import { execute, type CommandOutput } from "../process.ts";

/**
 * One Git revision, read from the object store: nothing is checked out, and the working tree is not looked at.
 * `directory` may be a folder inside of a repository; then the catalogue is that folder. Throws REVISION_UNKNOWN.
 */
export function revisionSource(directory: string, revision: string): Source {
  const blobs = new Map<string, Buffer>();
  let known: Tree | undefined;
  const treeAt = async (run: Run): Promise<Tree> => {
    if (!isCommitName(revision)) return readTree(directory, await resolveRevision(directory, revision, run), run);
    return (known ??= await readTree(directory, revision, run));
  };
  return {
    snapshot: async (wants, run) => {
      const { commit, entries, targets } = await treeAt(run);
      const chosen = [...entries].flatMap(([path, entry]): Chosen[] => {
        if (entry.mode !== SYMLINK) return wants(path) ? [[path, { kind: "file", entry }]] : [];
        const target = targets.get(path);
        return target !== undefined && (target.kind === "bad-link" || wants(path)) ? [[path, target]] : [];
      });
      const ids = chosen.flatMap(([, target]) => (target.kind === "file" ? [target.entry.id] : []));
      const missing = ids.filter((id) => !blobs.has(id));
      for (const [id, content] of await readBlobs(directory, missing, run)) blobs.set(id, content);
      const files = chosen.map(([path, target]): [string, SnapshotFile] => [
        path,
        target.kind === "file" ? fileOf(path, blobs.get(target.entry.id)) : target,
      ]);
      return { revision: commit, files: new Map(files) };
    },
  };
}

/** Whether a text is the full name of a commit, which never names anything else. */
export function isCommitName(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

/** The files and links of a commit. */
interface Tree {
  readonly commit: string;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly targets: ReadonlyMap<string, LinkTarget>;
}

async function readTree(directory: string, commit: string, run: Run): Promise<Tree> {
  const entries = await listTree(directory, commit, run);
  return { commit, entries, targets: await followLinks(directory, entries, run) };
}

type Chosen = readonly [path: string, target: LinkTarget];

/** Where each link leads that a catalogue could stand behind. */
async function followLinks(
  directory: string,
  entries: ReadonlyMap<string, TreeEntry>,
  run: Run,
): Promise<ReadonlyMap<string, LinkTarget>> {
  const links = [...entries].filter(([, { mode }]) => mode === SYMLINK);
  if (links.length === 0) return new Map();
  const texts = await readBlobs(
    directory,
    links.map(([, { id }]) => id),
    run,
  );
  const follower = new LinkFollower(entries, ({ id }) => String(texts.get(id)));
  return new Map(links.filter(([path]) => isWithinRoots(path)).map(([path]) => [path, follower.follow(path)]));
}

/** The mode of a submodule: a commit of another repository, which is no file. */
export const SUBMODULE = "160000";

/** What a user's configuration could change about the output that is read here. */
const SETTINGS = ["-c", "core.quotePath=false", "-c", "log.showRoot=true", "-c", "log.showSignature=false"];

/** Runs Git in `directory`, whatever the user has configured. Throws GIT_FAILED. */
export function git(
  directory: string,
  args: readonly string[],
  run: Run,
  extra: { input?: string; accepted?: number[] } = {},
): Promise<CommandOutput> {
  return execute({ program: "git", args: [...SETTINGS, ...args], cwd: directory, fault: "GIT_FAILED", ...extra }, run);
}

/** The commit that `revision` names. Throws REVISION_UNKNOWN. */
export async function resolveRevision(directory: string, revision: string, run: Run): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { code, stdout, stderr } = await git(directory, args, run, { accepted: [1, 128] });
  if (code === 0) return stdout.toString().trim();
  refuseUntrusted(directory, stderr);
  if (!(await isRepository(directory, run))) {
    const remedy = "Leave --revision out to read the folder as it is.";
    throw new Fault(
      "REVISION_UNKNOWN",
      `${directory} is no Git repository with a commit, so it has no ${revision}. ${remedy}`,
    );
  }
  throw new Fault("REVISION_UNKNOWN", `${directory} has no Git revision ${revision}. Fetch it, or name another.`);
}

async function listTree(directory: string, commit: string, run: Run): Promise<ReadonlyMap<string, TreeEntry>> {
  const args = ["ls-tree", "-r", "-z", commit];
  const first = await git(directory, args, run, { accepted: [128] });
  // A commit that is not there is said to be so; whatever else it is, Git says itself.
  if (first.code !== 0) await resolveRevision(directory, commit, run);
  const { stdout } = first.code === 0 ? first : await git(directory, args, run);
  const lines = stdout
    .toString()
    .split("\0")
    .filter((line) => line !== "");
  return new Map(
    lines
      .map((line): [string, TreeEntry] => {
        const tab = line.indexOf("\t");
        const [mode = "", , id = ""] = line.slice(0, tab).split(" ");
        return [line.slice(tab + 1), { mode, id }];
      })
      .filter(([, { mode }]) => mode !== SUBMODULE),
  );
}

/** The content of each blob, in one process however many there are. */
export async function readBlobs(
  directory: string,
  ids: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  if (ids.length === 0) return blobs;
  const { stdout } = await git(directory, ["cat-file", "--batch", "--buffer"], run, {
    input: `${[...new Set(ids)].join("\n")}\n`,
  });
  for (let at = 0; at < stdout.length;) {
    const headEnd = stdout.indexOf("\n", at);
    const [id = "", kind = "", size = "0"] = stdout.toString("utf8", at, headEnd).split(" ");
    if (kind !== "blob")
      throw new Fault("GIT_FAILED", `git cat-file: ${id} is ${kind}. The clone is not complete: git fetch.`);
    const end = headEnd + 1 + Number(size);
    blobs.set(id, stdout.subarray(headEnd + 1, end));
    at = end + 1;
  }
  return blobs;
}

/** The file at `path` with this content, unless it is larger than such a file may be. */
export function fileOf(path: string, bytes: Buffer = Buffer.of()): SnapshotFile {
  return bytes.length > maxBytesOf(path) ? { kind: "too-large", size: bytes.length } : { kind: "bytes", bytes };
}

/** Whether `directory` is part of a Git repository that has a commit. */
export async function isRepository(directory: string, run: Run): Promise<boolean> {
  const { code, stderr } = await git(directory, ["rev-parse", "--verify", "--quiet", "HEAD"], run, {
    accepted: [1, 128],
  });
  refuseUntrusted(directory, stderr);
  return code === 0;
}

/** A repository of another user, which Git does not trust, is not one without history. Git says what to do. */
function refuseUntrusted(directory: string, stderr: string): void {
  if (stderr.includes("safe.directory"))
    throw new Fault("GIT_FAILED", `git does not read ${directory}: ${stderr.trim()}`);
}
