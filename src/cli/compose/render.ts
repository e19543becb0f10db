import { resolve } from "node:path";
import type { FolderContent } from "../../catalogue/init/decide.ts";
import type { Run } from "../../ports.ts";
import { readDecreases } from "../../promote/decreases.ts";
import type { RenderWorld } from "../../sync/render/gather.ts";
import { FOLDERS, LANDSCAPE_FILE } from "../../sync/render/folders.ts";
import { listFolder, removeFiles } from "../../systems/files/newFolder.ts";
import { writeFolder } from "../../systems/files/repositoryWriter.ts";
import { gitHistory } from "../../systems/git/history.ts";
import type { SyncScope } from "./sync.ts";
import { clock } from "./systems.ts";

/** The folder of a rendered landscape. */
export interface RenderFolder {
  /**
   * Its rendered objects, and the file that names the landscape, by path; empty if the folder does not exist. Throws
   * CONFIGURATION, FILE_UNREADABLE.
   */
  read(): FolderContent["files"];
  /** Writes files in this order, each atomically. Throws DISK_FULL, FILE_UNREADABLE, CONFIGURATION. */
  write(files: ReadonlyMap<string, string>, run: Run): Promise<void>;
  /** Removes files. Throws FILE_UNREADABLE. */
  remove(paths: readonly string[]): void;
}

/** Opens the folder of `--output`. */
export function openRenderFolder(path: string): RenderFolder {
  const folder = resolve(path);
  return {
    read: () => listFolder(folder, (name) => name === FOLDERS.all || name === LANDSCAPE_FILE).files,
    write: (files, run) => writeFolder(folder, files, run),
    remove: (paths) => {
      removeFiles(folder, paths);
    },
  };
}

/** The ports to render a commit. */
export function renderWorld({ git, revision: { commit } }: SyncScope): RenderWorld {
  const history = gitHistory(git);
  return { history, clock, decreases: (modules, run) => readDecreases(history, modules, commit, clock.nowMs(), run) };
}
