/** A check run of a commit, as GitHub has it. */
export interface CheckRun {
  readonly name: string;
  /** `queued`, `in_progress`, `completed`, … */
  readonly status: string;
  /** `success`, `neutral`, `skipped`, `failure`, …; `null` while it runs. */
  readonly conclusion: string | null;
}

/** The commit statuses of a commit, taken together. */
export interface CombinedStatus {
  /** `success`, `pending`, `failure`. */
  readonly state: string;
  readonly total: number;
}

const FINE: ReadonlySet<string | null> = new Set(["success", "neutral", "skipped"]);

/** Why the checks of a commit do not allow a merge, as half a sentence; `undefined` when they do. */
export function whyNotGreen(runs: readonly CheckRun[], status: CombinedStatus): string | undefined {
  const done = runs.filter((run) => run.status === "completed");
  const failed = done.find((run) => !FINE.has(run.conclusion));
  if (failed !== undefined) return `the check ${failed.name} ${wordOf(failed.conclusion)}`;
  const running = runs.length - done.length;
  if (running > 0) return `${running} of ${runs.length} ${runs.length === 1 ? "check is" : "checks are"} still running`;
  // Checks that were all skipped have looked at nothing.
  if (!done.some((run) => run.conclusion === "success"))
    return runs.length === 0 ? "no check ran" : "no check succeeded";
  // Without any status, the combined one is "pending".
  if (status.total === 0 || status.state === "success") return undefined;
  return status.state === "pending" ? "a commit status is pending" : "a commit status failed";
}

function wordOf(conclusion: string | null): string {
  return conclusion === "failure" ? "failed" : `ended with ${String(conclusion).replaceAll("_", " ")}`;
}
