import { posix } from "node:path";
import { SETTINGS_PATH } from "../../catalogue/paths.ts";
import type { Run } from "../../ports.ts";
import { type BranchLine, lineUpTo } from "./line.ts";
import { CHANGES, isAdded, isDeleted, type LoggedChange, type LoggedCommit, readDiff } from "./log.ts";
import type { Repository } from "./repository.ts";

/** A folder of a repository, with "/" at its end or empty for the top, and the line to look at. */
export interface CataloguePlace {
  readonly folder: string;
  readonly line: BranchLine;
}

/**
 * The folder that the catalogue came from, and the line up to the commit that moved it; `undefined` if it began where it
 * is. A move takes the settings from one folder to another one. Throws GIT_FAILED.
 */
export async function moveIn(
  logged: readonly LoggedCommit[],
  { folder, line }: CataloguePlace,
  repository: Repository,
  run: Run,
): Promise<CataloguePlace | undefined> {
  const added = logged.findLast(({ changes }) => changes.some((one) => one.path === SETTINGS_PATH && isAdded(one)));
  const [before] = added?.parents ?? [];
  if (added === undefined || before === undefined) return undefined;
  const wanted = ["--", `:(top,glob)**/${SETTINGS_PATH}`];
  const changes = await readDiff(repository, [...CHANGES, "--no-relative", before, added.commit, ...wanted], run);
  const own = changes.find(({ path }) => path === folder + SETTINGS_PATH);
  const former = formerPlace(changes.filter(isDeleted), own);
  return former && { folder: former.path.slice(0, -SETTINGS_PATH.length), line: lineUpTo(line, added.commit) };
}

/** Of several deleted files, the one with the same content: a repository may move several folders at once. */
function formerPlace(deleted: readonly LoggedChange[], added: LoggedChange | undefined): LoggedChange | undefined {
  return deleted.length === 1 ? deleted[0] : deleted.find(({ formerId }) => formerId === added?.id);
}

/** The pathspec of a path in a folder. In `path`, `*` stands for any name. */
export function pathspecIn(folder: string, path: string): string {
  if (path.includes("*")) return `:(top,glob)${folder.replace(/[*?[\\]/g, "\\$&")}${path}`;
  // A pattern would not match what is in a folder.
  return `:(top,literal)${posix.join(folder, path).replace(/\/$/, "")}`;
}

/** The option by which Git lists paths relative to a folder. */
export function relativeTo(folder: string): string {
  return folder === "" ? "--no-relative" : `--relative=${folder}`;
}
