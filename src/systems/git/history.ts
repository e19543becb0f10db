import { posix } from "node:path";
import { SETTINGS_PATH } from "../../catalogue/paths.ts";
import type { HistoryScope, RecordedChange, RecordedCommit } from "../../catalogue/history/history.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import type { Fault, History, ReadHistory, Run } from "../../ports.ts";
import { CHANGES, isAdded, isDeleted, type LoggedChange, type LoggedCommit, readLog } from "./log.ts";
import { SUBMODULE, SYMLINK, type TreeEntry } from "./link.ts";
import { isCommitName, type Repository } from "./repository.ts";
import { fileOf } from "./revision.ts";

/** The first-parent history of the folder of `repository`. */
export function gitHistory(repository: Repository): History {
  return {
    read: async (revision, scope, run) => {
      if (scope.paths.length === 0) return NOTHING;
      const commit = await commitOf(repository, revision, run);
      return commit === undefined ? NOTHING : readHistory(repository, commit, scope, run);
    },
    brought: async (merges, run) => {
      const [base, tip] = [merges[0]?.parents[0], merges.at(-1)?.commit];
      if (base === undefined || tip === undefined) return new Map();
      // One command for all merges: a repository has thousands of them.
      return broughtTo(tip, await readLog(repository, ["--topo-order", "--reverse", `${base}..${tip}`, "--"], run));
    },
  };
}

/** The commit that `revision` names; `undefined` in a repository without a commit. Throws REVISION_UNKNOWN. */
async function commitOf(repository: Repository, revision: string, run: Run): Promise<string | undefined> {
  if (isCommitName(revision)) return revision;
  if (revision === "HEAD") return repository.currentHead(run);
  return (await repository.head(run)) === undefined ? undefined : repository.resolve(revision, run);
}

const NOTHING: ReadHistory = { commits: [], changes: [], cut: undefined };

/** Shows a merge as one step from its first parent. */
const FIRST_PARENT = ["--first-parent", "--diff-merges=first-parent", "--reverse", ...CHANGES];
/** Includes commits that change nothing below the paths. */
const EVERY_COMMIT = ["--full-history", "--sparse"];

async function readHistory(
  repository: Repository,
  commit: string,
  scope: HistoryScope,
  run: Run,
): Promise<ReadHistory> {
  const folder = await repository.prefix(run);
  const [commits, cut] = await Promise.all([
    readCommits(repository, { folder, commit }, scope, run),
    cutOf(repository, commit, run),
  ]);
  const changes = commits.flatMap(({ changes }, index) =>
    changes.filter(({ path }) => scope.wants(path)).map((change) => ({ index, change })),
  );
  const ids = changes.flatMap(({ change }) => (isFile(change) ? [change.id] : []));
  const blobs = await repository.objects.blobs(ids, run);
  const contents = changes.map(({ index, change }): RecordedChange => {
    return { index, path: change.path, content: contentOf(change, blobs) };
  });
  return { commits, changes: contents, cut };
}

/** The commits that change a catalogue, also in the folders from which it moved, oldest first. */
async function readCommits(
  repository: Repository,
  place: CataloguePlace,
  scope: HistoryScope,
  run: Run,
): Promise<readonly LoggedCommit[]> {
  const logged = await logIn(repository, place, scope, run);
  const move = await moveIn(logged, place.folder, repository, run);
  if (move === undefined) return withoutSettings(logged, scope);
  const before = await readCommits(repository, move, scope, run);
  const since = logged.slice(logged.findIndex(({ commit }) => commit === move.commit));
  return joined(before, withoutSettings(since, scope));
}

/** With the settings, whose first commit in a folder shows whether the catalogue moved there. */
function logIn(
  repository: Repository,
  { folder, commit }: CataloguePlace,
  { paths, everyCommit }: HistoryScope,
  run: Run,
): Promise<readonly LoggedCommit[]> {
  const relative = folder === "" ? "--no-relative" : `--relative=${folder}`;
  // Without paths, Git shows everything.
  const all = paths.length === 0 ? [] : [...paths, SETTINGS_PATH];
  const pathspecs = all.map((path) => pathspecIn(folder, path));
  const args = [...FIRST_PARENT, ...(everyCommit ? EVERY_COMMIT : []), relative, commit, "--", ...pathspecs];
  return readLog(repository, args, run);
}

/** Without the settings that nothing asked for, and without commits that change nothing else. */
function withoutSettings(
  commits: readonly LoggedCommit[],
  { paths, everyCommit }: HistoryScope,
): readonly LoggedCommit[] {
  if (paths.length === 0 || paths.includes(".")) return commits;
  return commits
    .map((one) => ({ ...one, changes: one.changes.filter(({ path }) => path !== SETTINGS_PATH) }))
    .filter(({ changes }) => everyCommit || changes.length > 0);
}

/** Joins the commits up to a move with those from it on. A move removes the files that it leaves out. */
function joined(before: readonly LoggedCommit[], since: readonly LoggedCommit[]): readonly LoggedCommit[] {
  const [leaving, arriving] = [before.at(-1), since[0]];
  if (leaving === undefined || leaving.commit !== arriving?.commit) return [...before, ...since];
  const moved = new Set(arriving.changes.map(({ path }) => path));
  const gone = leaving.changes.filter((change) => isDeleted(change) && !moved.has(change.path));
  return [...before.slice(0, -1), { ...arriving, changes: [...gone, ...arriving.changes] }, ...since.slice(1)];
}

/** A catalogue does not support submodules. */
function isFile(entry: TreeEntry): boolean {
  return !isDeleted(entry) && entry.mode !== SUBMODULE;
}

function contentOf(change: LoggedChange, blobs: ReadonlyMap<string, Buffer>): SnapshotFile | undefined {
  if (!isFile(change)) return undefined;
  const bytes = blobs.get(change.id);
  return change.mode === SYMLINK ? { kind: "bad-link", target: String(bytes) } : fileOf(change.path, bytes);
}

/**
 * Attributes each of `commits`, parents first, to the oldest commit of the first-parent line up to `tip` that contains
 * it. A branch may have several parents, several tips, and merges of its own.
 */
function broughtTo(tip: string, commits: readonly RecordedCommit[]): ReadonlyMap<string, readonly RecordedCommit[]> {
  const known = new Map(commits.map((one) => [one.commit, one]));
  const line: RecordedCommit[] = [];
  for (let at = known.get(tip); at !== undefined; at = known.get(at.parents[0] ?? "")) line.push(at);
  const merges = new Map<string, string>();
  for (const { commit: merge } of line.toReversed()) {
    const ahead = [merge];
    for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
      if (merges.has(name)) continue;
      merges.set(name, merge);
      ahead.push(...(known.get(name)?.parents ?? []));
    }
  }
  const brought = commits.filter(({ commit }) => merges.get(commit) !== commit);
  return Map.groupBy(brought, ({ commit }) => merges.get(commit) ?? "");
}

/**
 * The fault for missing older commits. A shallow clone may be complete on this path: it is not if its oldest commit has
 * a parent.
 */
export async function cutOf(repository: Repository, commit: string, run: Run): Promise<Fault | undefined> {
  if (!(await repository.isShallow(run))) return undefined;
  const commits = await repository.firstParents(commit, run);
  const oldest = await repository.text(["cat-file", "commit", commits.at(-1) ?? commit], run);
  if (!/^tree .*\nparent /.test(oldest)) return undefined;
  return repository.tooShallow(commits.length, "which does not contain what its channels served earlier");
}

/** A folder of a repository, with "/" at its end or empty for the top, and the newest commit to look at. */
interface CataloguePlace {
  readonly folder: string;
  readonly commit: string;
}

/** Compares a commit with its first parent, in the whole repository. */
const STEP = ["--first-parent", "--diff-merges=first-parent", "--max-count=1", ...CHANGES, "--no-relative"];

/**
 * The folder that the catalogue came from, and the commit of the first-parent history that moved it; `undefined` if it
 * began where it is. A move takes the settings from one folder to another one. Throws GIT_FAILED.
 */
async function moveIn(
  logged: readonly LoggedCommit[],
  folder: string,
  repository: Repository,
  run: Run,
): Promise<CataloguePlace | undefined> {
  const added = logged.findLast(({ changes }) => changes.some((one) => one.path === SETTINGS_PATH && isAdded(one)));
  if (added === undefined || added.parents.length === 0) return undefined;
  const [step] = await readLog(repository, [...STEP, added.commit, "--", `:(top,glob)**/${SETTINGS_PATH}`], run);
  const changes = step?.changes ?? [];
  const own = changes.find(({ path }) => path === folder + SETTINGS_PATH);
  const former = formerOf(changes.filter(isDeleted), own);
  return former && { folder: former.path.slice(0, -SETTINGS_PATH.length), commit: added.commit };
}

/** Of several deleted files, the one with the same content: a repository may move several folders at once. */
function formerOf(deleted: readonly LoggedChange[], added: LoggedChange | undefined): LoggedChange | undefined {
  return deleted.length === 1 ? deleted[0] : deleted.find(({ formerId }) => formerId === added?.id);
}

/** The pathspec of a path in a folder. In `path`, `*` stands for any name. */
function pathspecIn(folder: string, path: string): string {
  if (path.includes("*")) return `:(top,glob)${folder.replace(/[*?[\\]/g, "\\$&")}${path}`;
  // A pattern would not match what is in a folder.
  return `:(top,literal)${posix.join(folder, path).replace(/\/$/, "")}`;
}
