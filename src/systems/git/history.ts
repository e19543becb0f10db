import { isCommitName } from "../../document/commitName.ts";
import { SETTINGS_PATH } from "../../catalogue/paths.ts";
import type { FileContent, HistoryScope, RecordedChange, RecordedCommit } from "../../catalogue/history/history.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import type { Fault, History, ReadHistory, Run } from "../../ports.ts";
import { type CataloguePlace, moveIn, pathspecIn, relativeTo } from "./place.ts";
import { readBranchLine, type MergeStep, partsOfLine, straightLine } from "./line.ts";
import { CHANGES, isDeleted, type LoggedChange, type LoggedCommit, readDiff, readLog } from "./log.ts";
import { SUBMODULE, SYMLINK, type TreeEntry } from "./link.ts";
import type { Repository } from "./repository.ts";
import { blobFile } from "./revision.ts";

/** The history of the folder of `repository`, along the line of the branch. */
export function gitHistory(repository: Repository): History {
  return {
    read: async (revision, scope, run) => {
      if (scope.paths.length === 0) return NOTHING;
      const commit = await resolveCommit(repository, revision, run);
      return commit === undefined ? NOTHING : readHistory(repository, commit, scope, run);
    },
    brought: async (line, run) => {
      const [base, tip] = [line[0]?.parents[0], line.at(-1)?.commit];
      if (base === undefined || tip === undefined) return new Map();
      // One command for all merges: a repository has thousands of them.
      return broughtTo(line, await readLog(repository, ["--topo-order", "--reverse", `${base}..${tip}`, "--"], run));
    },
    contents: (commits, paths, run) => readContents(repository, commits.filter(isCommitName), paths, run),
  };
}

/** Every parent counts, and each of them is compared with a merge. */
const EVERY_PARENT = ["--ignore-missing", "--full-history", "--diff-merges=separate", ...CHANGES];

async function readContents(
  repository: Repository,
  commits: readonly string[],
  paths: readonly string[],
  run: Run,
): Promise<readonly FileContent[]> {
  if (commits.length === 0 || paths.length === 0) return [];
  const folder = await repository.prefix(run);
  const pathspecs = paths.map((path) => pathspecIn(folder, path));
  const logged = await readLog(repository, [...EVERY_PARENT, relativeTo(folder), ...commits, "--", ...pathspecs], run);
  const changes = logged.flatMap((one) => one.changes);
  const distinct = [...new Map(changes.map((change) => [`${change.path}\0${change.id}`, change])).values()];
  const contentIn = await readChanged(repository, distinct, run);
  return distinct.flatMap((change) => {
    const content = contentIn(change);
    return content === undefined ? [] : [{ path: change.path, content }];
  });
}

/** The commit that `revision` names; `undefined` in a repository without a commit. Throws REVISION_UNKNOWN. */
async function resolveCommit(repository: Repository, revision: string, run: Run): Promise<string | undefined> {
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
  // Nearly always, the line is that of first parents, so that is read meanwhile.
  const [line, direct] = await Promise.all([
    readBranchLine(repository, commit, run),
    logIn(repository, { folder, line: straightLine(commit) }, scope, run),
  ]);
  const place = { folder, line };
  const logged = line.before.size === 0 ? direct : await logIn(repository, place, scope, run);
  const [commits, cut] = await Promise.all([
    completeMoves(repository, place, logged, scope, run),
    cutAt(repository, line.commits, run),
  ]);
  const changes = commits.flatMap(({ changes }, index) =>
    changes.filter(({ path }) => scope.wants(path)).map((change) => ({ index, change })),
  );
  const everyChange = changes.map(({ change }) => change);
  const contentIn = await readChanged(repository, everyChange, run);
  const contents = changes.map(({ index, change }): RecordedChange => {
    return { index, path: change.path, content: contentIn(change) };
  });
  return { commits, changes: contents, cut };
}

/** The commits of a place with those of the folders from which the catalogue moved there, oldest first. */
async function completeMoves(
  repository: Repository,
  place: CataloguePlace,
  logged: readonly LoggedCommit[],
  scope: HistoryScope,
  run: Run,
): Promise<readonly LoggedCommit[]> {
  const move = await moveIn(logged, place, repository, run);
  if (move === undefined) return withoutSettings(logged, scope);
  const before = await completeMoves(repository, move, await logIn(repository, move, scope, run), scope, run);
  const since = logged.slice(logged.findIndex(({ commit }) => commit === move.line.commits[0]));
  return joined(before, withoutSettings(since, scope));
}

/** With the settings, whose first commit in a folder shows whether the catalogue moved there. */
async function logIn(
  repository: Repository,
  { folder, line }: CataloguePlace,
  { paths, everyCommit }: HistoryScope,
  run: Run,
): Promise<readonly LoggedCommit[]> {
  // Without paths, Git shows everything.
  const all = paths.length === 0 ? [] : [...paths, SETTINGS_PATH];
  const pathspecs = ["--", ...all.map((path) => pathspecIn(folder, path))];
  const options = [...FIRST_PARENT, ...(everyCommit ? EVERY_COMMIT : []), relativeTo(folder)];
  const parts = partsOfLine(line).map((part) => {
    if ("merge" in part) return readStep(repository, part, [relativeTo(folder), ...pathspecs], run);
    const until = part.until === undefined ? [] : [`^${part.until}`];
    return readLog(repository, [...options, part.tip, ...until, ...pathspecs], run);
  });
  return (await Promise.all(parts)).toReversed().flat();
}

/** A merge as one step from a parent that is not its first one, which becomes the first. */
async function readStep(
  repository: Repository,
  { merge, before }: MergeStep,
  args: readonly string[],
  run: Run,
): Promise<readonly LoggedCommit[]> {
  const [logged, changes] = await Promise.all([
    readLog(repository, ["--no-walk", "--diff-merges=off", merge, "--"], run),
    readDiff(repository, [...CHANGES, ...args.slice(0, 1), before, merge, ...args.slice(1)], run),
  ]);
  return logged.map((one) => ({
    ...one,
    changes,
    parents: [before, ...one.parents.filter((parent) => parent !== before)],
  }));
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

/** Reads what changes made of their files, at once. A catalogue does not support submodules. */
async function readChanged(
  repository: Repository,
  changes: readonly LoggedChange[],
  run: Run,
): Promise<(change: LoggedChange) => SnapshotFile | undefined> {
  const isFile = (entry: TreeEntry): boolean => !isDeleted(entry) && entry.mode !== SUBMODULE;
  const ids = changes.filter(isFile).map(({ id }) => id);
  const blobs = await repository.objects.blobs(ids, run);
  return (change) => {
    if (!isFile(change)) return undefined;
    const bytes = blobs.get(change.id);
    return change.mode === SYMLINK ? { kind: "bad-link", target: String(bytes) } : blobFile(change.path, bytes);
  };
}

/**
 * Attributes each of `commits`, parents first, to the oldest commit of `line` that contains it. A branch may have several
 * parents, several tips, and merges of its own.
 */
function broughtTo(
  line: readonly RecordedCommit[],
  commits: readonly RecordedCommit[],
): ReadonlyMap<string, readonly RecordedCommit[]> {
  const known = new Map(commits.map((one) => [one.commit, one]));
  const merges = new Map<string, string>();
  for (const { commit: merge } of line) {
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
export async function shallowCut(repository: Repository, commit: string, run: Run): Promise<Fault | undefined> {
  if (!(await repository.isShallow(run))) return undefined;
  return cutAt(repository, await repository.firstParents(commit, run), run);
}

/** The same for a line, newest first. */
async function cutAt(repository: Repository, commits: readonly string[], run: Run): Promise<Fault | undefined> {
  if (!(await repository.isShallow(run))) return undefined;
  const oldest = await repository.text(["cat-file", "commit", commits.at(-1) ?? "HEAD"], run);
  if (!/^tree .*\nparent /.test(oldest)) return undefined;
  return repository.tooShallow(commits.length, "which does not contain what its channels served earlier");
}
