import type { BumpTarget } from "../../catalogue/bump.ts";
import { Fault, type Run } from "../../ports.ts";
import type { BranchChange, BranchPlan, BumpPorts } from "../compose/bump.ts";
import type { Bump, BumpOutcome } from "./report.ts";
import type { CheckReport } from "../check/report.ts";

/** Where a bump goes: a branch of this clone, or a pull request. */
export interface BumpPlace {
  /** The commit that the bump is judged against, and that a new branch starts from. */
  readonly base: string;
  readonly branch: string;
  /**
   * Says what is to be done there; nothing is done yet. Throws CONFIGURATION where somebody else's work stands.
   */
  readonly plan: (bump: PlannedBump, run: Run) => Promise<CarryOut>;
}

/** A bump whose file is not what the base has. */
export interface PlannedBump extends Omit<Bump, "outcome"> {
  /** The channel file of the base; `undefined` when there is none. */
  readonly before: string | undefined;
}

/** Does what was planned, once the gate reported; gives what became of it. */
export type CarryOut = (report: CheckReport, run: Run) => Promise<BumpOutcome>;

/** The branch that is named after a bump. */
export function branchOf({ module, version, channel }: BumpTarget): string {
  return `bump/${channel}/${module}-${version}`;
}

/** A branch of this clone. Throws REVISION_UNKNOWN. */
export async function openBranch(
  { branch, base }: { readonly branch: string; readonly base: string },
  ports: BumpPorts,
  run: Run,
): Promise<BumpPlace> {
  return {
    base: await ports.resolve(base, run),
    branch,
    plan: async ({ change }, planRun) => {
      const plan = await ports.planBranch(change, planRun);
      const feasible = refuseOccupied(plan, change);
      return (_report, carryRun) => commit(feasible, change, ports, carryRun);
    },
  };
}

type FeasiblePlan = Extract<BranchPlan, { kind: "create" | "extend" | "unchanged" }>;

function refuseOccupied(plan: BranchPlan, { branch, base }: BranchChange): FeasiblePlan {
  switch (plan.kind) {
    case "foreign":
      throw new Fault(
        "CONFIGURATION",
        `The branch ${branch} has commits of somebody else ("${plan.subject}") and is left as it is. ` +
          `Look at them (git log ${base.slice(0, 10)}..${branch}), then name another branch (--branch NAME) or remove this one (git branch -D ${branch}).`,
      );
    case "checked-out":
      throw new Fault(
        "CONFIGURATION",
        `${plan.folder} stands on the branch ${branch}, whose files would look changed. Switch away (git switch -) or name another: --branch NAME.`,
      );
    case "create":
    case "extend":
    case "unchanged":
      return plan;
  }
}

async function commit(plan: FeasiblePlan, change: BranchChange, ports: BumpPorts, run: Run): Promise<BumpOutcome> {
  if (plan.kind === "unchanged") return { kind: "unchanged", commit: plan.tip, pull: undefined };
  const made = await ports.commit(change, plan, run);
  return { kind: plan.kind === "create" ? "created" : "extended", commit: made };
}
