import type { Run } from "../../ports.ts";
import { git, isCommitName } from "./git.ts";

/** Where a change left its base. Commits. */
export interface Fork {
  readonly base: string;
  readonly fork: string;
}

interface Layout {
  readonly prefix: string;
  readonly isShallow: boolean;
}

const LAYOUT = ["rev-parse", "--show-prefix", "--is-shallow-repository"];

/** What Git says of the repository of a folder: asked once a run, and where it can be, together with something else. */
export class Repository {
  readonly directory: string;
  #layout: Layout | undefined;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Where the folder lies in its repository, with "/" at the end; empty at the top, and outside of Git. Throws GIT_FAILED. */
  async prefix(run: Run): Promise<string> {
    return (await this.#laidOut(run)).prefix;
  }

  /** Whether the history of the clone is cut off. Throws GIT_FAILED. */
  async isShallow(run: Run): Promise<boolean> {
    return (await this.#laidOut(run)).isShallow;
  }

  /** Where HEAD left `base`; `undefined` where one of the two is no commit, or they have none in common. Throws GIT_FAILED. */
  async forkFrom(base: string, run: Run): Promise<Fork | undefined> {
    if (base === "" || base.startsWith("-")) return undefined;
    const lines = await this.#ask([...LAYOUT, `${base}...HEAD`], run);
    // HEAD comes first, and a caret marks where the two left each other.
    const [, commit = "", fork = "", ...others] = lines.slice(2).map((line) => line.replace("^", ""));
    if (!isCommitName(commit) || !isCommitName(fork) || others.length > 0) return undefined;
    this.#layout = layoutIn(lines);
    return { base: commit, fork };
  }

  async #laidOut(run: Run): Promise<Layout> {
    return (this.#layout ??= layoutIn(await this.#ask(LAYOUT, run)));
  }

  /** No line at all where Git refuses. */
  async #ask(args: readonly string[], run: Run): Promise<readonly string[]> {
    const { code, stdout } = await git(this.directory, args, run, { accepted: [128] });
    return code === 0 ? stdout.toString().split("\n").slice(0, -1) : [];
  }
}

function layoutIn([prefix = "", isShallow]: readonly string[]): Layout {
  return { prefix, isShallow: isShallow === "true" };
}
