import { counted } from "../../document/counted.ts";
import { Fault, type Run } from "../../ports.ts";
import type { Variables } from "../environment.ts";
import type { CommandOutput } from "../process.ts";
import { runGit, type GitOptions } from "./git.ts";

/** Where a change left its base. Commits. */
export interface Fork {
  readonly base: string;
  readonly fork: string;
}

/** What is asked of a repository once. */
interface RepositoryLayout {
  readonly prefix: string;
  readonly isShallow: boolean;
  /** The commit of HEAD; `undefined` where there is none, or no repository. */
  readonly head: string | undefined;
}

const LAYOUT = ["rev-parse", "--show-prefix", "--is-shallow-repository"];

/** A folder, which may lie within a repository, and the environment that Git is asked in: every command goes through it. */
export class Repository {
  readonly directory: string;
  readonly #variables: Variables;
  #layout: RepositoryLayout | undefined;

  constructor(directory: string, variables: Variables) {
    this.directory = directory;
    this.#variables = variables;
  }

  /** The same folder, asked with other variables of the environment. */
  with(variables: Variables): Repository {
    return new Repository(this.directory, { ...this.#variables, ...variables });
  }

  /** Another folder, asked in the same environment. */
  at(directory: string): Repository {
    return new Repository(directory, this.#variables);
  }

  /** Runs Git, whatever the user has configured. Throws GIT_FAILED, or the Fault that is asked for. */
  git(args: readonly string[], run: Run, options: GitOptions = {}): Promise<CommandOutput> {
    return runGit({ directory: this.directory, variables: this.#variables, args }, options, run);
  }

  /** What Git prints, without the ends of lines around it. */
  async text(args: readonly string[], run: Run, options?: GitOptions): Promise<string> {
    return (await this.git(args, run, options)).stdout.toString().trim();
  }

  /** The lines that Git prints, without empty ones. */
  async lines(args: readonly string[], run: Run, options?: GitOptions): Promise<readonly string[]> {
    return (await this.text(args, run, options)).split("\n").filter((line) => line !== "");
  }

  /** What Git prints with `-z`, or with NULs in its format. */
  async fields(args: readonly string[], run: Run, options?: GitOptions): Promise<readonly string[]> {
    return (await this.git(args, run, options)).stdout.toString().split("\0").slice(0, -1);
  }

  /** The commit that `revision` names now. Throws REVISION_UNKNOWN. */
  async resolve(revision: string, run: Run): Promise<string> {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
    const { code, stdout } = await this.git(args, run, { accepted: [1, 128] });
    if (code === 0) return stdout.toString().trim();
    const { directory } = this;
    if ((await this.head(run)) !== undefined)
      throw new Fault("REVISION_UNKNOWN", `${directory} has no Git revision ${revision}. Fetch it, or name another.`);
    const remedy = revision === "HEAD" ? "Commit what is there." : "Leave --revision out to read the folder as it is.";
    throw new Fault(
      "REVISION_UNKNOWN",
      `${directory} is not a Git repository with a commit, so it has no ${revision}. ${remedy}`,
    );
  }

  /** The commit of HEAD, asked once; `undefined` where there is no repository, or no commit in it. Throws GIT_FAILED. */
  async head(run: Run): Promise<string | undefined> {
    return (await this.#laidOut(run)).head;
  }

  /** Where the folder lies in its repository, with "/" at the end; empty at the top, and outside of Git. Throws GIT_FAILED. */
  async prefix(run: Run): Promise<string> {
    return (await this.#laidOut(run)).prefix;
  }

  /** Whether the history of the clone is cut off. Throws GIT_FAILED. */
  async isShallow(run: Run): Promise<boolean> {
    return (await this.#laidOut(run)).isShallow;
  }

  /** A Fault that says how to complete a clone of so many commits. `why`: the second half of a sentence. */
  tooShallow(commits: number, why: string): Fault {
    const found = `${this.directory} is a shallow clone of ${counted(commits, "commit")}`;
    const remedy = `git fetch --deepen=${commits * 10}, or git fetch --unshallow (in GitHub Actions: fetch-depth: 0)`;
    return new Fault("HISTORY_TOO_SHALLOW", `${found}, ${why}. It must be deeper than ${commits}: ${remedy}.`);
  }

  /** Where HEAD left `base`; `undefined` where one of the two is not a commit, or they have none in common. Throws GIT_FAILED. */
  async forkFrom(base: string, run: Run): Promise<Fork | undefined> {
    if (base === "" || base.startsWith("-")) return undefined;
    const lines = await this.#ask([...LAYOUT, `${base}...HEAD`], run);
    // HEAD comes first, and a caret marks where the two left each other.
    const [, commit = "", fork = "", ...others] = lines.slice(2).map((line) => line.replace("^", ""));
    if (!isCommitName(commit) || !isCommitName(fork) || others.length > 0) return undefined;
    this.#layout = layoutIn(lines);
    return { base: commit, fork };
  }

  async #laidOut(run: Run): Promise<RepositoryLayout> {
    if (this.#layout !== undefined) return this.#layout;
    const layout = layoutIn(await this.#ask([...LAYOUT, "HEAD"], run));
    // A repository may come to be, and to its first commit, while a program runs.
    if (layout.head !== undefined) this.#layout = layout;
    return layout;
  }

  /** As many lines as Git gets to before it refuses. */
  async #ask(args: readonly string[], run: Run): Promise<readonly string[]> {
    const { code, stdout, stderr } = await this.git(args, run, { accepted: [128] });
    // A repository of another user, which Git does not trust, is not one without history. Git says what to do.
    if (code !== 0 && stderr.includes("safe.directory"))
      throw new Fault("GIT_FAILED", `git does not read ${this.directory}: ${stderr.trim()}`);
    return stdout.toString().split("\n").slice(0, -1);
  }
}

/** Whether a text is the full name of a commit, which never names anything else. */
export function isCommitName(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

function layoutIn([prefix = "", isShallow, head = ""]: readonly string[]): RepositoryLayout {
  return { prefix, isShallow: isShallow === "true", head: isCommitName(head) ? head : undefined };
}
