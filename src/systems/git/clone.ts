import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import type { Variables } from "../environment.ts";
import { diskFull, folderFault, makeFolder, saysDiskFull } from "../files/folder.ts";
import { underLock } from "../files/lock.ts";
import { isFolder } from "../process.ts";
import { requireBranchName } from "./branch.ts";
import { Repository } from "./repository.ts";

/** Where a clone lies, and what it is a clone of. */
export interface CloneOptions {
  readonly folder: string;
  readonly branch: string;
  /** The folder of the catalogue in the repository; empty for its top. */
  readonly path: string;
  /** For Git's check of the clone. Milliseconds. */
  readonly deadlineMs: number;
}

/** What Git's check finds wrong is the sum of 2, 4, 8 and 16, or fatal. */
const FSCK_CODES = [...Array.from({ length: 32 }, (_, code) => code), 128];

/**
 * A bare clone of one branch, which is a cache: it can be made anew at any time. Several processes may use it; one at a
 * time writes to it.
 */
export class BareClone {
  /** The clone itself. */
  readonly bare: Repository;
  /**
   * The folder of the catalogue, in which Git is asked for what lies below it. A bare repository has no folders, so
   * there is a working tree for it, without files.
   */
  readonly catalogue: Repository;
  /** Where Git is asked without the clone. */
  readonly outside: Repository;
  readonly #options: CloneOptions;
  /** Whether every object was checked, and nothing has failed since. */
  #isSound = false;

  constructor(options: CloneOptions, variables: Variables) {
    const { folder, path } = options;
    this.#options = options;
    this.outside = new Repository("/", { ...variables, GIT_DIR: undefined, GIT_WORK_TREE: undefined });
    // Names the repository: where it is damaged, Git would look for one around it.
    this.bare = this.outside.at(folder).with({ GIT_DIR: folder });
    const tree = join(folder, "tree");
    this.catalogue = this.bare.at(join(tree, path)).with({ GIT_WORK_TREE: tree });
  }

  /** Does `work` while no other process writes to the clone, which is there then, and sound. Throws DISK_FULL. */
  async alone<T>(work: () => Promise<T>, run: Run): Promise<T> {
    const { folder } = this.#options;
    const onHeld = (): void => {
      run.log.info("waiting for another process that fetches", { clone: folder });
    };
    const ready = async (): Promise<T> => {
      await this.#prepare(run);
      return work();
    };
    try {
      await makeFolder(dirname(folder));
      return await underLock(`${folder}.lock`, onHeld, ready, run);
    } catch (error) {
      if (error instanceof Fault && error.code === "GIT_FAILED" && saysDiskFull(error.message))
        throw diskFull(folder, error);
      throw folderFault(error, folder);
    }
  }

  /** What is read of the clone. Where Git fails, every object is checked before the next work on it. */
  async read<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      if (error instanceof Fault && error.code === "GIT_FAILED") this.#isSound = false;
      throw error;
    });
  }

  /** Makes the clone anew if Git finds that an object is damaged or missing; gives whether it did. */
  async mend(run: Run): Promise<boolean> {
    const { folder, deadlineMs: ms } = this.#options;
    const deadline = { ms, who: "git fsck", fault: "GIT_FAILED" } as const;
    const options = { accepted: FSCK_CODES, deadline };
    const { code } = await this.bare.git(["fsck", "--no-dangling", "--no-progress"], run, options);
    // 1: an object is as it was committed, but not well-formed.
    if (code <= 1) return false;
    run.log.warn("the clone is damaged and is made anew", { clone: folder });
    await rm(folder, { recursive: true, force: true });
    await this.#prepare(run);
    return true;
  }

  /** Lets Git pack what many fetches brought. Whoever reads meanwhile finds the content of an old pack in the new one. */
  async tidy(run: Run): Promise<void> {
    // Else it would go on in the background, beyond the lock and the deadline.
    const args = ["-c", "gc.autoDetach=false", "gc", "--auto", "--quiet"];
    await this.bare.git(args, run).catch((error: unknown) => {
      run.signal.throwIfAborted();
      run.log.warn("cannot tidy up the clone", { clone: this.#options.folder, problem: String(error) });
    });
  }

  async #prepare(run: Run): Promise<void> {
    if (!isFolder(this.#options.folder)) await this.#make(run);
    else if (!this.#isSound) await this.mend(run);
    this.#isSound = true;
    await this.#sweep();
    await makeFolder(this.catalogue.directory);
  }

  async #make(run: Run): Promise<void> {
    const { folder, branch } = this.#options;
    await requireBranchName(this.outside, branch, "Correct it.", run);
    const args = ["init", "--quiet", "--bare", "--template=", `--initial-branch=${branch}`, folder];
    await this.outside.git(args, run);
  }

  /** Removes what a killed Git left behind: nobody else writes here now, so that is what every lock is. */
  async #sweep(): Promise<void> {
    const { folder } = this.#options;
    const entries = await readdir(folder, { recursive: true });
    const left = entries.filter((path) => /\.lock$|^gc\.pid$|^objects\/.*\btmp_[^/]*$/.test(path));
    await Promise.all(left.map((path) => rm(join(folder, path), { recursive: true, force: true })));
  }
}
