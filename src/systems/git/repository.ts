import { isUtf8 } from "node:buffer";
import { devNull } from "node:os";
import { isCommitName } from "../../document/commitName.ts";
import { counted } from "../../document/counted.ts";
import { nameText } from "../../document/fileName.ts";
import { Fault, type Run } from "../../ports.ts";
import type { Variables } from "../environment.ts";
import type { CommandOutput } from "../process.ts";
import { BatchCommand } from "./batch.ts";
import { runGit, type GitOptions } from "./git.ts";
import { ObjectReader } from "./objects.ts";

/** The base of a change, its fork point and its head, as commits. */
export interface Fork {
  /** The commit that the name of the base names. */
  readonly base: string;
  /** The newest common commit. */
  readonly fork: string;
  /** The commit of HEAD. */
  readonly head: string;
}

/** Cached properties of a repository. */
interface RepositoryLayout {
  readonly prefix: string;
  readonly isShallow: boolean;
  /** The commit of HEAD; `undefined` without a commit or a repository. */
  readonly head: string | undefined;
}

/** With these, Git tells a hook about its own repository, which need not be that of the folder. */
const OF_A_HOOK = [
  ...["GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_PREFIX", "GIT_INDEX_FILE"],
  ...["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE"],
  ...["GIT_REPLACE_REF_BASE", "GIT_NAMESPACE"],
];

const LAYOUT = ["rev-parse", "--show-prefix", "--is-shallow-repository"];

/** A folder, possibly within a repository, and the environment for Git. All Git commands go through it. */
export class Repository {
  readonly directory: string;
  readonly objects: ObjectReader;
  readonly #variables: Variables;
  #layout: RepositoryLayout | undefined;

  private constructor(directory: string, variables: Variables) {
    this.directory = directory;
    this.#variables = variables;
    this.objects = new ObjectReader(this.batch(["cat-file", "--batch"]));
  }

  /** The repository of a folder, also for a process that a hook of another repository started. */
  static of(directory: string, variables: Variables): Repository {
    return new Repository(directory, {
      ...variables,
      ...Object.fromEntries(OF_A_HOOK.map((name) => [name, undefined])),
      // Other clones have the content and the parents of a commit, not what `git replace` or a graft shows here instead.
      GIT_NO_REPLACE_OBJECTS: "1",
      // Does not exist: Git warns of any file.
      GIT_GRAFT_FILE: `${devNull}/grafts`,
    });
  }

  /** The same folder with additional environment variables. */
  with(variables: Variables): Repository {
    return new Repository(this.directory, { ...this.#variables, ...variables });
  }

  /** Another folder with the same environment. */
  at(directory: string): Repository {
    return new Repository(directory, this.#variables);
  }

  /** Runs Git, independent of the user's configuration. Throws GIT_FAILED, or `options.fault`. */
  git(args: readonly string[], run: Run, options: GitOptions = {}): Promise<CommandOutput> {
    return runGit({ directory: this.directory, variables: this.#variables, args }, options, run);
  }

  /** A Git command that answers requests. */
  batch(args: readonly string[]): BatchCommand {
    return new BatchCommand(this.directory, this.#variables, args);
  }

  /** The trimmed output of Git. */
  async text(args: readonly string[], run: Run, options?: GitOptions): Promise<string> {
    return (await this.git(args, run, options)).stdout.toString().trim();
  }

  /** The non-empty lines of Git's output. */
  async lines(args: readonly string[], run: Run, options?: GitOptions): Promise<readonly string[]> {
    return (await this.text(args, run, options)).split("\n").filter((line) => line !== "");
  }

  /** The NUL-terminated fields of Git's output, each as `nameText`. */
  async fields(args: readonly string[], run: Run, options?: GitOptions): Promise<readonly string[]> {
    const { stdout } = await this.git(args, run, options);
    if (isUtf8(stdout)) return stdout.toString().split("\0").slice(0, -1);
    const fields: string[] = [];
    for (let at = 0, end = stdout.indexOf(0); end >= 0; at = end + 1, end = stdout.indexOf(0, at))
      fields.push(nameText(stdout.subarray(at, end)));
    return fields;
  }

  /** Resolves `revision` to a commit. Throws REVISION_UNKNOWN, also if it names several. */
  async resolve(revision: string, run: Run): Promise<string> {
    if (revision === "HEAD") return (await this.currentHead(run)) ?? (await this.#unresolved(revision, run));
    const { lines, stderr } = await this.#ask([...LAYOUT, "--verify", "--end-of-options", `${revision}^{commit}`], run);
    const { head: commit, ...layout } = layoutIn(lines);
    if (commit === undefined) return this.#unresolved(revision, run);
    // Another repository may have been created around the folder or in it.
    if (this.#layout !== undefined) this.#layout = { ...this.#layout, ...layout };
    if (stderr !== "") await this.#refuseAmbiguous(revision, run);
    return commit;
  }

  /**
   * Refuses a revision that begins with the name of a tag and of a branch at different commits. Git warns, and takes the
   * tag: whoever may push one would choose what `--base main` means.
   */
  async #refuseAmbiguous(revision: string, run: Run): Promise<void> {
    const [name = ""] = revision.split(/[\^~:]|@\{/, 1);
    const refs = ["tags", "heads", "remotes"].map((kind) => `refs/${kind}/${name}`);
    const lines = await this.lines(["for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", ...refs], run);
    const found = lines.map((line) => line.trim().split(" ")).filter(([ref = ""]) => refs.includes(ref));
    if (new Set(found.map((fields) => fields.at(-1))).size < 2) return;
    const names = found.flatMap(([ref = ""]) => ref).join(" and ");
    const message = `${name} is ambiguous in ${this.directory}: it is the short name of ${names}.`;
    throw new Fault("REVISION_UNKNOWN", `${message} Write the full name of the one that you mean.`);
  }

  async #unresolved(revision: string, run: Run): Promise<never> {
    const { directory } = this;
    if ((await this.head(run)) !== undefined)
      throw new Fault("REVISION_UNKNOWN", `${directory} has no Git revision ${revision}. Fetch it, or name another.`);
    const remedy = revision === "HEAD" ? "Commit the files." : "Omit --revision to read the folder as it is.";
    throw new Fault(
      "REVISION_UNKNOWN",
      `${directory} is not a Git repository with a commit, so it has no ${revision}. ${remedy}`,
    );
  }

  /** The commit of HEAD as of now; `undefined` without a repository or a commit. Throws GIT_FAILED. */
  async currentHead(run: Run): Promise<string | undefined> {
    return (await this.#read(run)).head;
  }

  /** The commit of HEAD, cached; `undefined` without a repository or a commit. Throws GIT_FAILED. */
  async head(run: Run): Promise<string | undefined> {
    return (await this.#laidOut(run)).head;
  }

  /**
   * The path of the folder in its repository, with "/" at the end; empty at the top and outside of Git. Throws
   * GIT_FAILED.
   */
  async prefix(run: Run): Promise<string> {
    return (await this.#laidOut(run)).prefix;
  }

  /** The commits of the first-parent line that ends at `commit`, newest first. Throws GIT_FAILED. */
  firstParents(commit: string, run: Run): Promise<readonly string[]> {
    return this.lines(["rev-list", "--first-parent", commit], run);
  }

  /** Whether the clone is shallow. Throws GIT_FAILED. */
  async isShallow(run: Run): Promise<boolean> {
    return (await this.#laidOut(run)).isShallow;
  }

  /** The fault for a shallow clone of `commits` commits, with the fix. `why` completes a sentence about the clone. */
  tooShallow(commits: number, why: string): Fault {
    const found = `${this.directory} is a shallow clone of ${counted(commits, "commit")}`;
    const remedy = `git fetch --deepen=${commits * 10}, or git fetch --unshallow (in GitHub Actions: fetch-depth: 0)`;
    return new Fault("HISTORY_TOO_SHALLOW", `${found}, ${why}. It must be deeper than ${commits}: ${remedy}.`);
  }

  /**
   * The fork point of HEAD from `base`; `undefined` if one of them is not a commit, or they have no common one. Throws
   * GIT_FAILED, and REVISION_UNKNOWN if `base` names several commits.
   */
  async forkFrom(base: string, run: Run): Promise<Fork | undefined> {
    if (base === "" || base.startsWith("-")) return undefined;
    const { lines, stderr } = await this.#ask([...LAYOUT, `${base}...HEAD`], run);
    // HEAD comes first, and a caret marks the fork point.
    const [, commit = "", fork = "", ...others] = lines.slice(2).map((line) => line.replace("^", ""));
    if (!isCommitName(commit) || !isCommitName(fork) || others.length > 0) return undefined;
    if (stderr !== "") await this.#refuseAmbiguous(base, run);
    this.#layout = layoutIn(lines);
    return { base: commit, fork, head: lines[2] ?? "" };
  }

  async #laidOut(run: Run): Promise<RepositoryLayout> {
    return this.#layout ?? this.#read(run);
  }

  async #read(run: Run): Promise<RepositoryLayout> {
    const layout = layoutIn((await this.#ask([...LAYOUT, "HEAD"], run)).lines);
    // The repository or its first commit may be created while the program runs.
    if (layout.head !== undefined) this.#layout = layout;
    return layout;
  }

  /** The lines that Git prints, possibly before it fails, and its warnings. */
  async #ask(
    args: readonly string[],
    run: Run,
  ): Promise<{ readonly lines: readonly string[]; readonly stderr: string }> {
    const { code, stdout, stderr } = await this.git(args, run, { accepted: [128] });
    // A repository of another user, which Git does not trust, must not count as one without history. Git's message
    // tells the fix.
    if (code !== 0 && stderr.includes("safe.directory"))
      throw new Fault("GIT_FAILED", `git refuses to read ${this.directory}: ${stderr.trim()}`);
    const lines = stdout.toString().split("\n").slice(0, -1);
    const [prefix = "", isShallow = "false"] = lines;
    if ((prefix === "" || prefix.endsWith("/")) && /^(?:true|false)$/.test(isShallow)) return { lines, stderr };
    throw new Fault(
      "CONFIGURATION",
      `A folder in the path of ${this.directory} has a line feed in its name. Rename it.`,
    );
  }
}

function layoutIn([prefix = "", isShallow, head = ""]: readonly string[]): RepositoryLayout {
  return { prefix, isShallow: isShallow === "true", head: isCommitName(head) ? head : undefined };
}
