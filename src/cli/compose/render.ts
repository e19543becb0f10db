import { resolve } from "node:path";
import type { FolderContent } from "../../catalogue/init/decide.ts";
import type { Run } from "../../ports.ts";
import type { RenderWorld } from "../../sync/render/gather.ts";
import { FOLDERS, LANDSCAPE_FILE } from "../../sync/render/folders.ts";
import { listFolder, removeFiles } from "../../systems/files/newFolder.ts";
import { writeFolder } from "../../systems/files/repositoryWriter.ts";
import { gitHistory } from "../../systems/git/history.ts";
import { readDecreases, type SyncScope } from "./sync.ts";
import { clock } from "./systems.ts";

/** The folder that a landscape is rendered into. */
export interface RenderFolder {
  /** The rendered objects that it holds, and whose they are, by their paths; it need not be there. Throws CONFIGURATION, FILE_UNREADABLE. */
  read(): FolderContent["files"];
  /** Writes files in this order, each as a whole. Throws DISK_FULL, FILE_UNREADABLE, CONFIGURATION. */
  write(files: ReadonlyMap<string, string>, run: Run): Promise<void>;
  /** Removes files. Throws FILE_UNREADABLE. */
  remove(paths: readonly string[]): void;
}

/** The folder that `--output` names. */
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

/** What rendering a commit asks of the world. */
export function renderWorld({ git, revision: { commit } }: SyncScope): RenderWorld {
  const history = gitHistory(git);
  return { history, clock, decreases: (modules, run) => readDecreases(history, modules, commit, run) };
}
