import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import type { Variables } from "../environment.ts";
import { diskFull, folderFault, makeFolder, saysDiskFull } from "../files/folder.ts";
import { underLock } from "../files/lock.ts";
import { isFolder } from "../process.ts";
import { requireBranchName } from "./branch.ts";
import { Repository } from "./repository.ts";

interface CloneOptions {
  readonly folder: string;
  readonly branch: string;
  /** The folder of the catalogue in the repository; empty for its top. */
  readonly path: string;
  /** Timeout of `git fsck`, in milliseconds. */
  readonly deadlineMs: number;
}

/** Exit codes of `git fsck`: a sum of flags up to 16, or 128. */
const FSCK_CODES = [...Array.from({ length: 32 }, (_, code) => code), 128];

/**
 * A bare clone of one branch. It is a cache, which can be created anew at any time. Several processes may use it; a
 * lock allows one writer at a time.
 */
export class BareClone {
  /** The clone itself. */
  readonly bare: Repository;
  /**
   * The folder of the catalogue, for Git commands that work below it. A bare repository has no folders, so it has a
   * working tree without files.
   */
  readonly catalogue: Repository;
  /** For Git commands that do not use the clone. */
  readonly outside: Repository;
  readonly #options: CloneOptions;
  /** Whether every object was checked and no command has failed since. */
  #isSound = false;

  constructor(options: CloneOptions, variables: Variables) {
    const { folder, path } = options;
    this.#options = options;
    this.outside = Repository.of("/", variables);
    // GIT_DIR names the repository: if it is damaged, Git would search the folders above.
    this.bare = this.outside.at(folder).with({ GIT_DIR: folder });
    const tree = join(folder, "tree");
    this.catalogue = this.bare.at(join(tree, path)).with({ GIT_WORK_TREE: tree });
  }

  /** Runs `work` as the only writer of the clone, which exists and is sound by then. Throws DISK_FULL. */
  async alone<T>(work: () => Promise<T>, run: Run): Promise<T> {
    const { folder } = this.#options;
    const onHeld = (): void => {
      run.log.info("waiting for another process that fetches", { clone: folder });
    };
    try {
      await makeFolder(dirname(folder));
      return await underLock(
        `${folder}.lock`,
        onHeld,
        async () => {
          await this.#prepare(run);
          return work();
        },
        run,
      );
    } catch (error) {
      if (error instanceof Fault && error.code === "GIT_FAILED" && saysDiskFull(error.message))
        throw diskFull(folder, error);
      throw folderFault(error, folder);
    }
  }

  /** Wraps a read of the clone: if Git fails, every object is checked before the next work on the clone. */
  async read<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      if (error instanceof Fault && error.code === "GIT_FAILED") this.#isSound = false;
      throw error;
    });
  }

  /** Recreates the clone if Git finds a damaged or missing object; returns whether it did. */
  async repair(run: Run): Promise<boolean> {
    const { folder, deadlineMs: ms } = this.#options;
    const deadline = { ms, who: "git fsck", fault: "GIT_FAILED" } as const;
    const options = { accepted: FSCK_CODES, deadline };
    const { code } = await this.bare.git(["fsck", "--no-dangling", "--no-progress"], run, options);
    // 1: an object is malformed, but unchanged since its commit.
    if (code <= 1) return false;
    run.log.warn("the clone is damaged and is recreated", { clone: folder });
    await rm(folder, { recursive: true, force: true });
    await this.#prepare(run);
    return true;
  }

  /** Lets Git repack the objects of many fetches. Concurrent readers find the content of an old pack in the new one. */
  async tidy(run: Run): Promise<void> {
    // Without autoDetach=false it would continue in the background, beyond the lock and the deadline.
    const args = ["-c", "gc.autoDetach=false", "gc", "--auto", "--quiet"];
    await this.bare.git(args, run).catch((error: unknown) => {
      run.signal.throwIfAborted();
      run.log.warn("cannot tidy up the clone", { clone: this.#options.folder, problem: String(error) });
    });
  }

  async #prepare(run: Run): Promise<void> {
    if (!isFolder(this.#options.folder)) await this.#make(run);
    else if (!this.#isSound) await this.repair(run);
    this.#isSound = true;
    await this.#sweep();
    await makeFolder(this.catalogue.directory);
  }

  async #make(run: Run): Promise<void> {
    const { folder, branch } = this.#options;
    await requireBranchName(this.outside, branch, "Correct it.", run);
    const args = ["init", "--quiet", "--bare", "--template=", `--initial-branch=${branch}`, folder];
    await this.outside.git(args, run);
    // A bare clone keeps no reflog by itself. It shows what the branch was, if first parents do not.
    await this.bare.git(["config", "core.logAllRefUpdates", "always"], run);
  }

  /** Removes remains of a killed Git. Every lock is such a remain, since this process is the only writer. */
  async #sweep(): Promise<void> {
    const { folder } = this.#options;
    const entries = await readdir(folder, { recursive: true });
    const left = entries.filter((path) => /\.lock$|^gc\.pid$|^objects\/.*\btmp_[^/]*$/.test(path));
    await Promise.all(left.map((path) => rm(join(folder, path), { recursive: true, force: true })));
  }
}
