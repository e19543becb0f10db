import { relative, resolve, sep } from "node:path";
import type { OpenCheckWorld } from "../../check/gather/gather.ts";
import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { MAX_FILE_BYTES, type SnapshotFile } from "../../document/snapshot.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import {
  type Clock,
  type ControlPlane,
  type History,
  type NamedFile,
  type NamedFiles,
  type Run,
  type Source,
} from "../../ports.ts";
import { changeTimes } from "../../systems/git/changeTimes.ts";
import { directorySource } from "../../systems/files/files.ts";
import { definitionsIn } from "../../systems/files/definitions.ts";
import { gitHistory } from "../../systems/git/history.ts";
import { changesSince, uncommittedFiles, type WorkingChange } from "../../systems/git/changes.ts";
import { revisionSource } from "../../systems/git/revision.ts";
import { namedFiles } from "../../systems/files/namedFiles.ts";
import { fillableSource, writeFolder, writeRepository } from "../../systems/files/repositoryWriter.ts";
import type { StartedTrial, WorldOptions } from "./world.ts";
import { clock, connect, openRepository } from "./systems.ts";

export { systemFault } from "../../systems/errno.ts";
export { checkReportFiles, writeReports } from "../../systems/files/reportWriter.ts";

/** The files of a repository: as they lie there, or as a Git revision has them. */
export function openSource(repository: string, revision: string | undefined): Source {
  return revision === undefined ? directorySource(repository) : revisionSource(openRepository(repository), revision);
}

/** What `import` needs in order to fill `repository`, which may not exist yet. */
export function openImport(repository: string): ImportWorld {
  const git = openRepository(repository);
  return {
    repository: fillableSource(repository),
    clock,
    namedFiles,
    namedTimes: (paths, run) => changeTimes(git.at("."), paths, run),
    repositoryTimes: (paths, run) => changeTimes(git, paths, run),
    connect: (address) => connect(address, repository),
    write: (files, run) => writeRepository(repository, files, run),
  };
}

/** The history of a repository; empty where there is no Git. */
export function openHistory(repository: string): History {
  return gitHistory(openRepository(repository));
}

/** What `check` asks of the world, beyond what its rules do. */
export interface CheckPorts {
  readonly clock: Clock;
  /** The working tree. */
  openHead(): Source;
  /** A commit. */
  openRevision(revision: string): Source;
  /** Named files, as they are, in place of a repository. Throws CONFIGURATION, FILE_UNREADABLE. */
  namedSource(paths: readonly string[], run: Run): Promise<Source>;
  /** A path that a person named, relative to the repository. */
  inRepository(path: string): string;
  /** What the working tree changes since it left `base`. Throws REVISION_UNKNOWN, HISTORY_TOO_SHALLOW. */
  changesSince(base: string, run: Run): Promise<WorkingChange>;
  /** The files of the working tree that are not as HEAD has them; none where there is no working tree. */
  uncommitted(run: Run): Promise<readonly string[]>;
  /** Where the catalogue lies in its Git repository. */
  gitPrefix(run: Run): Promise<string>;
  readonly namedFiles: NamedFiles;
  /** Writes files of the repository by path, each as a whole. Throws DISK_FULL, FILE_UNREADABLE. */
  writeRepository(files: ReadonlyMap<string, string>, run: Run): Promise<void>;
  /** Writes files by name into a folder, from where the command was called. Throws DISK_FULL, FILE_UNREADABLE. */
  writeFolder(folder: string, files: ReadonlyMap<string, string>, run: Run): Promise<void>;
  /** An API server of our own that is thrown away. */
  startTrial(run: Run): Promise<StartedTrial>;
  /** What the rules' facts are gathered from. */
  openWorld(options: WorldOptions, run: Run): Promise<OpenCheckWorld>;
}

/** What `check` needs in order to judge `repository`, by the time of `on`. */
export function openCheck(repository: string, on: Clock = clock): CheckPorts {
  const git = openRepository(repository);
  return {
    clock: on,
    openHead: () => directorySource(repository),
    openRevision: (revision) => revisionSource(git, revision),
    namedSource: async (paths, run) => fixedSource(await namedFiles.read(paths, run)),
    inRepository: (path) => relative(repository, resolve(path)).split(sep).join("/"),
    changesSince: (base, run) => changesSince(git, base, run),
    uncommitted: (run) => uncommittedFiles(git, run),
    gitPrefix: (run) => git.prefix(run),
    namedFiles,
    writeRepository: (files, run) => writeRepository(repository, files, run),
    writeFolder: (folder, files, run) => writeFolder(resolve(folder), files, run),
    startTrial: async (run) => (await import("./world.ts")).startTrial(run),
    openWorld: async (options, run) => (await import("./world.ts")).openWorld(git, options, run, on),
  };
}

/** Files that were read already; a file that is named twice counts once. */
function fixedSource(files: readonly NamedFile[]): Source {
  const contents = new Map(
    files.map(({ name, content }): [string, SnapshotFile] => [
      name,
      content.length > MAX_FILE_BYTES ? { kind: "too-large", size: content.length } : { kind: "bytes", bytes: content },
    ]),
  );
  return {
    snapshot: (wants) =>
      Promise.resolve({ revision: undefined, files: new Map([...contents].filter(([path]) => wants(path))) }),
  };
}

/** The CustomResourceDefinitions in these files and folders. */
export function readDefinitions(paths: readonly string[], run: Run): Promise<readonly KubernetesObject[]> {
  return definitionsIn(paths, run);
}

/** What `import` asks of the world. */
export interface ImportWorld {
  /** The repository that is filled; one that does not exist yet has no files. */
  readonly repository: Source;
  readonly clock: Clock;
  readonly namedFiles: NamedFiles;
  /** When named files were last changed, Unix milliseconds. */
  namedTimes(paths: readonly string[], run: Run): Promise<ReadonlyMap<string, number>>;
  /** When files of the repository were last changed, Unix milliseconds. */
  repositoryTimes(paths: readonly string[], run: Run): Promise<ReadonlyMap<string, number>>;
  /** The control plane at `address`. Throws CONFIGURATION for a context that does not exist. */
  connect(address: ControlPlaneAddress): Promise<ControlPlane>;
  /** Writes files of the repository, in this order, each as a whole. Throws DISK_FULL, FILE_UNREADABLE. */
  write(files: ReadonlyMap<string, string>, run: Run): Promise<void>;
}
