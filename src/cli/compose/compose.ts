import { relative, resolve, sep } from "node:path";
import type { StartedTrial } from "../../check/compatibility/reproduce.ts";
import type { OpenCheckWorld } from "../../check/gather/gather.ts";
import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { type ConvertedFile, MAX_FILE_BYTES, type SnapshotFile } from "../../document/snapshot.ts";
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
import { convertedFiles } from "../../systems/git/attributes.ts";
import {
  changesSince,
  type ChangeKind,
  type ChangeSince,
  filesOfHead,
  uncommittedFiles,
} from "../../systems/git/changes.ts";
import { revisionSource } from "../../systems/git/revision.ts";
import { namedFiles } from "../../systems/files/namedFiles.ts";
import { fillableSource, writeFolder, writeRepository } from "../../systems/files/repositoryWriter.ts";
import type { Fork, Repository } from "../../systems/git/repository.ts";
import type { WorldOptions } from "./world.ts";
import { clock, connect, openRepository } from "./systems.ts";

export type { ChangeSince } from "../../systems/git/changes.ts";
export { systemFault } from "../../systems/errno.ts";
export { checkReportFiles, writeReports } from "../../systems/files/reportWriter.ts";

/** The files of a repository: of the working tree, or of a Git revision. */
export function openSource(repository: string, revision: string | undefined): Source {
  return revision === undefined ? directorySource(repository) : revisionSource(openRepository(repository), revision);
}

/** Opens the world of `import`. `repository` may not exist yet. */
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

/** The history of a repository; empty without Git. */
export function openHistory(repository: string): History {
  return gitHistory(openRepository(repository));
}

/** The ports of `check`, besides those of its rules. */
export interface CheckPorts {
  readonly clock: Clock;
  /** The working tree. */
  openHead(): Source;
  /** A commit. */
  openRevision(revision: string): Source;
  /** A source of named files, in place of a repository. Throws CONFIGURATION, FILE_UNREADABLE. */
  namedSource(paths: readonly string[], run: Run): Promise<Source>;
  /** Makes a path of the command line relative to the repository. */
  inRepository(path: string): string;
  /** The changes since the merge base with `base`. Throws REVISION_UNKNOWN, HISTORY_TOO_SHALLOW. */
  changesSince(base: string, kind: ChangeKind, run: Run): Promise<ChangeSince>;
  /** The files that a checkout shows otherwise than Git has them: of a commit, else of the working tree. */
  converted(commit: string | undefined, run: Run): Promise<readonly ConvertedFile[]>;
  /** All files that HEAD changes since its merge base with a base, from the top of the repository. */
  filesOfHead(fork: Fork, run: Run): Promise<readonly string[]>;
  /** The files of the working tree that differ from HEAD; none without a working tree. */
  uncommitted(run: Run): Promise<readonly string[]>;
  /** The path of the catalogue in its Git repository. */
  gitPrefix(run: Run): Promise<string>;
  readonly namedFiles: NamedFiles;
  /** Writes files of the repository by path, each atomically. Throws DISK_FULL, FILE_UNREADABLE. */
  writeRepository(files: ReadonlyMap<string, string>, run: Run): Promise<void>;
  /**
   * Writes files by name into a folder, which is relative to the current directory. Throws DISK_FULL, FILE_UNREADABLE.
   */
  writeFolder(folder: string, files: ReadonlyMap<string, string>, run: Run): Promise<void>;
  /** Starts a throw-away API server. */
  startTrial(run: Run): Promise<StartedTrial>;
  /** Opens the systems that the rules' facts come from. */
  openWorld(options: WorldOptions, run: Run): Promise<OpenCheckWorld>;
}

/** Opens the ports with which `check` judges the folder of `git`, by the clock `on`. */
export function openCheck(git: Repository, on: Clock = clock): CheckPorts {
  const { directory } = git;
  return {
    clock: on,
    openHead: () => directorySource(directory),
    openRevision: (revision) => revisionSource(git, revision),
    namedSource: async (paths, run) => fixedSource(await namedFiles.read(paths, run)),
    inRepository: (path) => relative(directory, resolve(path)).split(sep).join("/"),
    changesSince: (base, kind, run) => changesSince(git, base, kind, run),
    converted: (commit, run) => convertedFiles(git, commit, run),
    filesOfHead: (fork, run) => filesOfHead(git, fork, run),
    uncommitted: (run) => uncommittedFiles(git, run),
    gitPrefix: (run) => git.prefix(run),
    namedFiles,
    writeRepository: (files, run) => writeRepository(directory, files, run),
    writeFolder: (folder, files, run) => writeFolder(resolve(folder), files, run),
    startTrial: async (run) => (await import("./world.ts")).startTrial(run),
    openWorld: async (options, run) => (await import("./world.ts")).openWorld(git, options, run, on),
  };
}

/** A source of files that were read already. A file that is named twice counts once. */
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

/** The ports of `import`. */
export interface ImportWorld {
  /** The repository to fill; empty if it does not exist yet. */
  readonly repository: Source;
  readonly clock: Clock;
  readonly namedFiles: NamedFiles;
  /** The times of the last change of named files, in Unix milliseconds. */
  namedTimes(paths: readonly string[], run: Run): Promise<ReadonlyMap<string, number>>;
  /** The times of the last change of files in the repository, in Unix milliseconds. */
  repositoryTimes(paths: readonly string[], run: Run): Promise<ReadonlyMap<string, number>>;
  /** The control plane at `address`. Throws CONFIGURATION for a context that does not exist. */
  connect(address: ControlPlaneAddress): Promise<ControlPlane>;
  /** Writes files of the repository, in this order, each atomically. Throws DISK_FULL, FILE_UNREADABLE. */
  write(files: ReadonlyMap<string, string>, run: Run): Promise<void>;
}
