import type { BumpTarget } from "../../catalogue/bump.ts";
import { hashOf } from "../../document/canonical.ts";
import type { ForgeSettings } from "../../catalogue/settings.ts";
import { Fault, type Forge, type ForgeView, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { bumpBody } from "./body.ts";
import { branchOf, type BumpPlace, type PlannedBump } from "./place.ts";
import type { BumpPorts } from "../compose/bump.ts";
import type { BumpOutcome } from "./report.ts";
import type { CheckReport } from "../check/report.ts";

/**
 * The pull request of a bump, on the forge that the repository names. It is judged against the forge's base branch, not
 * against what a clone of it happens to have. Throws CONFIGURATION without a forge, REVISION_UNKNOWN for a clone that
 * lacks that commit.
 */
export async function openPullRequest(
  target: BumpTarget,
  settings: ForgeSettings,
  ports: BumpPorts,
  run: Run,
): Promise<BumpPlace> {
  const forge = settings.kind === "none" ? undefined : await ports.openForge(settings, run);
  if (forge === undefined) {
    const remedy = "Leave --pull-request out for a commit on a local branch, or name one: forge: { kind: github, … }.";
    throw new Fault("CONFIGURATION", `kyma-modules.yaml names no forge that could have a pull request. ${remedy}`);
  }
  const branch = branchOf(target);
  const { base, proposals }: ForgeView = await forge.look([branch], run);
  await requireCommit(base, ports, run);
  const known = proposals.find((proposal) => proposal.branch === branch);
  return {
    base,
    branch,
    plan: (bump) => {
      refuseEdited(known, branch);
      return Promise.resolve((report, carryRun) => propose(draftOf(bump, report), known, forge, carryRun));
    },
  };
}

async function requireCommit(base: string, ports: BumpPorts, run: Run): Promise<void> {
  try {
    await ports.resolve(base, run);
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== "REVISION_UNKNOWN") throw cause;
    const message = `The forge's base branch is at ${base.slice(0, 10)}, which this clone lacks: git fetch, then run it again.`;
    throw new Fault("REVISION_UNKNOWN", message, { cause, retry: true });
  }
}

function refuseEdited(known: Proposal | undefined, branch: string): void {
  if (known === undefined || known.digest !== undefined) return;
  const [what, remedy] =
    known.pull === undefined
      ? [branch, "Delete the branch"]
      : [`${branch} (${known.pull.url})`, "Merge the pull request, or close it and delete the branch"];
  throw new Fault(
    "CONFIGURATION",
    `Somebody else committed to the branch ${what}, which is left as it is. ${remedy}; then run it again.`,
  );
}

function draftOf(bump: PlannedBump, report: CheckReport): ProposalDraft {
  const { target, file, before, change } = bump;
  const files = new Map([[file.path, file.text]]);
  const title = change.subject;
  return {
    branch: change.branch,
    base: change.base,
    files,
    title,
    message: `${title}\n`,
    body: bumpBody(bump, report),
    // Not what the gate says: the checks of the pull request say it again. What the base serves counts: where that
    // changed, the branch has to be built on it, or cannot be merged.
    digest: `bump:${target.version}:${hashOf({ files: [...files], title, before: before ?? null })}`,
    // CODEOWNERS asks them.
    reviewers: [],
    isUrgent: false,
    isAsked: true,
  };
}

async function propose(
  draft: ProposalDraft,
  known: Proposal | undefined,
  forge: Forge,
  run: Run,
): Promise<BumpOutcome> {
  const isOpen = known?.pull?.isOpen === true;
  if (isOpen && known.digest === draft.digest) return { kind: "unchanged", commit: known.tip, pull: known.pull };
  const { tip, pull } = await forge.propose(draft, known, run);
  return { kind: isOpen ? "updated" : "opened", commit: tip, pull };
}
