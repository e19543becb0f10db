import { statSync } from "node:fs";
import { Fault, type Run } from "../../ports.ts";
import { isMissingProgram, type Repository } from "./repository.ts";

/** A clone, and the revision in it that proposals start from. */
export interface Clone {
  readonly repository: Repository;
  readonly baseRevision: string;
  readonly deadlineMs: number;
  /** The commit that the base is at now. Throws CONFIGURATION, REVISION_UNKNOWN. */
  base(run: Run): Promise<string>;
}

/** The clone that `repository` is. `deadlineMs` is for one call of a remote. */
export function openClone(repository: Repository, baseRevision: string, deadlineMs: number): Clone {
  return { repository, baseRevision, deadlineMs, base: (run) => baseOf(repository, baseRevision, run) };
}

/** Two commits as people tell them apart. */
export function fromTo(from: string | undefined, to: string | undefined): string {
  const [before, after] = [from, to].map((commit) => commit?.slice(0, 10) ?? "nothing");
  return `from ${before ?? ""} to ${after ?? ""}`;
}

async function baseOf(repository: Repository, revision: string, run: Run): Promise<string> {
  const { directory } = repository;
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Fault("CONFIGURATION", `There is no folder ${directory}. Name another: --repo DIR.`);
  try {
    return await repository.resolve(revision, run);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw await explained(error, repository, run);
  }
}

async function explained(fault: Fault, repository: Repository, run: Run): Promise<Fault> {
  if (isMissingProgram(fault)) {
    const message = "git is not installed, or not on the PATH. Install it; or name a forge in kyma-modules.yaml.";
    return new Fault("CONFIGURATION", message, { cause: fault });
  }
  if (fault.code !== "REVISION_UNKNOWN" || (await repository.head(run)) !== undefined) return fault;
  const message = `${repository.directory} is not a Git repository with a commit, so there is nothing to propose a change of. Clone it; or commit what is there: git init, git add, git commit.`;
  return new Fault("CONFIGURATION", message, { cause: fault });
}
