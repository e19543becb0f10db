import type { ForgeSettings } from "../../catalogue/settings.ts";
import type { Forge, History, Links, Run } from "../../ports.ts";
import { Repository } from "../../systems/git/repository.ts";
import { gitHistory } from "../../systems/git/history.ts";
import { commitToBranch, planBranch, type BranchChange, type BranchPlan } from "../../systems/git/branch.ts";
import { openLinks } from "../../systems/http/links.ts";
import { textDiff } from "../../systems/textDiff.ts";
import { openCheck, type CheckPorts } from "./compose.ts";
import { openPromotion } from "./promotion.ts";

/** What `bump` asks of the world, beyond what its gate does. */
export interface BumpPorts {
  /** The gate. */
  readonly check: CheckPorts;
  readonly links: Links;
  /** The commit that `revision` names. Throws REVISION_UNKNOWN. */
  resolve(revision: string, run: Run): Promise<string>;
  /** The history up to a commit. */
  history(commit: string): History;
  /** What is to be done to a branch. Throws CONFIGURATION. */
  planBranch(change: BranchChange, run: Run): Promise<BranchPlan>;
  /** Does it, and gives the commit. Throws CONFIGURATION, GIT_FAILED. */
  commit(change: BranchChange, plan: Extract<BranchPlan, { kind: "create" | "extend" }>, run: Run): Promise<string>;
  /** The forge that a repository names. Throws CONFIGURATION, FORGE_UNAUTHORIZED. */
  openForge(settings: Extract<ForgeSettings, { kind: "github" }>, run: Run): Promise<Forge | undefined>;
  /** A unified diff; `before` is `undefined` for a new file. */
  diff(path: string, before: string | undefined, after: string, run: Run): Promise<string>;
}

export type { BranchChange, BranchPlan };

/** What `bump` needs in order to change a branch of `repository`, or to propose it on the forge. */
export function openBump(repository: string): BumpPorts {
  const { world } = openPromotion(repository, { offline: false, writes: true, direct: false });
  return {
    check: openCheck(repository),
    links: openLinks(process.env),
    resolve: (revision, run) => world.resolve(revision, run),
    history: (commit) => gitHistory(new Repository(repository), commit),
    planBranch: (change, run) => planBranch(repository, change, run),
    commit: (change, plan, run) => commitToBranch(repository, change, plan, run),
    openForge: (settings, run) => world.openForge(settings, run),
    diff: textDiff,
  };
}
