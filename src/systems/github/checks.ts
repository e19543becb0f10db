/** A check run of a commit, as GitHub has it. */
export interface CheckRun {
  /** Later ones have higher ones. */
  readonly id: number;
  readonly name: string;
  /** The app that runs it; `null` when that is gone. */
  readonly app: string | null;
  /** `queued`, `in_progress`, `completed`, … */
  readonly status: string;
  /** `success`, `neutral`, `skipped`, `failure`, …; `null` while it runs. */
  readonly conclusion: string | null;
}

const FINE: ReadonlySet<string | null> = new Set(["success", "neutral", "skipped"]);

/**
 * Why the check runs of a commit do not allow a merge, as half a sentence; `undefined` when they do: all of them are
 * green, and the one called `gate` succeeded.
 *
 * Of runs of one name and one app only the newest counts, as with required checks: GitHub lists every one that a review
 * or an edited text started for the commit, also those that were cancelled for the next.
 */
export function whyNotGreen(all: readonly CheckRun[], gate: string): string | undefined {
  const runs = newest(all);
  const done = runs.filter((run) => run.status === "completed");
  const failed = done.find((run) => !FINE.has(run.conclusion));
  if (failed !== undefined) return `the check ${failed.name} ${wordOf(failed.conclusion)}`;
  const running = runs.length - done.length;
  if (running > 0) return `${running} of ${runs.length} ${runs.length === 1 ? "check is" : "checks are"} still running`;
  const gates = runs.filter(({ name }) => name === gate);
  if (gates.some(({ conclusion }) => conclusion === "success")) return undefined;
  return gates.length === 0 ? `the gate (the check ${gate}) did not run` : `the gate (the check ${gate}) was skipped`;
}

function newest(runs: readonly CheckRun[]): readonly CheckRun[] {
  const ordered = [...runs].sort((a, b) => a.id - b.id);
  return [...new Map(ordered.map((run) => [JSON.stringify([run.app, run.name]), run])).values()];
}

/** Why the commit statuses of a commit, taken together, do not allow a merge; `undefined` when they do. */
export function whyNotPassed({ state, total }: { readonly state: string; readonly total: number }): string | undefined {
  // Without any status, the combined one is "pending".
  if (total === 0 || state === "success") return undefined;
  return state === "pending" ? "a commit status is pending" : "a commit status failed";
}

/** A review of a pull request; `reviewer` is a login, `null` when the account is gone. */
export interface Review {
  readonly reviewer: string | null;
  /** `APPROVED`, `CHANGES_REQUESTED`, `COMMENTED`, `DISMISSED`, `PENDING`. */
  readonly state: string;
}

/**
 * Who asks for changes; a comment takes nothing back. Whether their word counts is for GitHub to say: how a reviewer
 * belongs to a repository (`author_association`) it does not tell where a membership is private.
 *
 * Takes:  `reviews` in the order in which they came.
 */
export function whoAskForChanges(reviews: readonly Review[]): readonly string[] {
  const last = new Map<string, string>();
  for (const { reviewer, state } of reviews)
    if (reviewer !== null && state !== "COMMENTED" && state !== "PENDING") last.set(reviewer, state);
  return [...last].flatMap(([reviewer, state]) => (state === "CHANGES_REQUESTED" ? [reviewer] : []));
}

function wordOf(conclusion: string | null): string {
  return conclusion === "failure" ? "failed" : `ended with ${String(conclusion).replaceAll("_", " ")}`;
}
