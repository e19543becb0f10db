import { posix } from "node:path";
import { SETTINGS_PATH } from "../../catalogue/paths.ts";
import type { Run } from "../../ports.ts";
import { CHANGES, isDeleted, type LoggedChange, readLog } from "./log.ts";
import type { Repository } from "./repository.ts";

/** A folder of a repository, with "/" at its end or empty for the top, and the newest commit to look at. */
export interface CataloguePlace {
  readonly folder: string;
  readonly commit: string;
}

/** Compares a merge with its first parent, in the whole repository. */
const STEP = ["--first-parent", "--diff-merges=first-parent", "--max-count=1", ...CHANGES, "--no-relative"];

/**
 * The folder that the catalogue came from, and the commit of the first-parent history that moved it; `undefined` if it
 * began where it is. A move takes the settings from one folder to another one. Throws GIT_FAILED.
 */
export async function moveTo(
  repository: Repository,
  { folder, commit }: CataloguePlace,
  run: Run,
): Promise<CataloguePlace | undefined> {
  const path = folder + SETTINGS_PATH;
  const [added] = await readLog(repository, [...STEP, "--diff-filter=A", commit, "--", `:(top,literal)${path}`], run);
  if (added === undefined) return undefined;
  const [step] = await readLog(repository, [...STEP, added.commit, "--", `:(top,glob)**/${SETTINGS_PATH}`], run);
  const changes = step?.changes ?? [];
  const own = changes.find((change) => change.path === path);
  const former = formerOf(changes.filter(isDeleted), own);
  return former && { folder: former.path.slice(0, -SETTINGS_PATH.length), commit: added.commit };
}

/** Of several deleted files, the one with the same content: a repository may move several folders at once. */
function formerOf(deleted: readonly LoggedChange[], added: LoggedChange | undefined): LoggedChange | undefined {
  return deleted.length === 1 ? deleted[0] : deleted.find(({ formerId }) => formerId === added?.id);
}

/** The pathspec of a path in a folder. In `path`, `*` stands for any name. */
export function pathspecIn(folder: string, path: string): string {
  if (path.includes("*")) return `:(top,glob)${folder.replace(/[*?[\\]/g, "\\$&")}${path}`;
  // A pattern would not match what is in a folder.
  return `:(top,literal)${posix.join(folder, path).replace(/\/$/, "")}`;
}
