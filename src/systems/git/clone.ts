import { statSync } from "node:fs";
import { Fault, type Run } from "../../ports.ts";
import { isRepository, resolveRevision } from "./git.ts";

/** A clone, and the revision in it that proposals start from. */
export interface Clone {
  readonly directory: string;
  readonly baseRevision: string;
  readonly deadlineMs: number;
  /** The commit that the base is at now. Throws CONFIGURATION, REVISION_UNKNOWN. */
  base(run: Run): Promise<string>;
}

/** The clone in `directory`. `deadlineMs` is for one call of a remote. */
export function openClone(directory: string, baseRevision: string, deadlineMs: number): Clone {
  return { directory, baseRevision, deadlineMs, base: (run) => baseOf(directory, baseRevision, run) };
}

/** Two commits as people tell them apart. */
export function fromTo(from: string | undefined, to: string | undefined): string {
  const [before, after] = [from, to].map((commit) => commit?.slice(0, 10) ?? "nothing");
  return `from ${before ?? ""} to ${after ?? ""}`;
}

async function baseOf(directory: string, revision: string, run: Run): Promise<string> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Fault("CONFIGURATION", `There is no folder ${directory}. Name another: --repo DIR.`);
  try {
    return await resolveRevision(directory, revision, run);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw await explained(error, directory, run);
  }
}

async function explained(fault: Fault, directory: string, run: Run): Promise<Fault> {
  if (fault.cause instanceof Error && "code" in fault.cause && fault.cause.code === "ENOENT") {
    const message = "git is not installed, or not on the PATH. Install it; or name a forge in kyma-modules.yaml.";
    return new Fault("CONFIGURATION", message, { cause: fault });
  }
  if (fault.code !== "REVISION_UNKNOWN" || (await isRepository(directory, run))) return fault;
  const message = `${directory} is no Git repository with a commit, so there is nothing to propose a change of. Clone it; or commit what is there: git init, git add, git commit.`;
  return new Fault("CONFIGURATION", message, { cause: fault });
}
