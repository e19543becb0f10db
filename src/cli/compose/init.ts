import { removeFiles, gitState, listFolder } from "../../systems/files/newFolder.ts";
import { namedFiles } from "../../systems/files/namedFiles.ts";
import { lockPackages } from "../../systems/npm.ts";
import { installedPackage, ownFiles, packagedNode } from "../../systems/ownPackage.ts";
import { writeRepository } from "../../systems/files/repositoryWriter.ts";
import { clock, openRepository } from "./systems.ts";
import type { InitWorld } from "../init/command.ts";

/** Opens the world of `init`. `folder` may not exist yet. */
export function openInit(folder: string): InitWorld {
  return {
    clock,
    installed: installedPackage(),
    node: packagedNode(),
    ownFiles,
    namedFiles,
    list: (isOurs) => listFolder(folder, isOurs),
    git: (run) => gitState(openRepository(folder), run),
    lock: lockPackages,
    write: (files, run) => writeRepository(folder, files, run),
    remove: (paths) => {
      removeFiles(folder, paths);
    },
  };
}
