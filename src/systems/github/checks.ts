/** The workflow that checks a pull request. */
export const GATE = "submission.yaml";
/** The job of the workflow, and so its check. A dispatched run reports a commit status of that name. */
export const GATE_CHECK = "check";

/** A check run of a commit. */
export interface CheckRun {
  /** Increases with time. */
  readonly id: number;
  readonly name: string;
  /** The app that runs it; `null` if that is gone. */
  readonly app: number | null;
  /** The file of its workflow; `undefined` for an app other than GitHub Actions. */
  readonly workflow: string | undefined;
  /** `queued`, `in_progress`, `completed`, … */
  readonly status: string;
  /** `success`, `neutral`, `skipped`, `failure`, …; `null` while it runs. */
  readonly conclusion: string | null;
}

/** The newest commit status of a context. */
export interface CommitStatus {
  readonly context: string;
  /** `success`, `pending`, `expected`, `failure`, `error`. */
  readonly state: string;
}

/** The check runs and statuses of a commit. */
export interface CommitFindings {
  readonly checks: readonly CheckRun[];
  readonly statuses: readonly CommitStatus[];
}

const FINE: ReadonlySet<string | null> = new Set(["success", "neutral", "skipped"]);
const UNDECIDED: ReadonlySet<string> = new Set(["pending", "expected"]);

/**
 * Why the findings about a commit do not allow a merge, as a clause; `undefined` if all is green and the gate
 * succeeded.
 *
 * GitHub lists every run that a review or an edited text started for the commit, each in its own suite, also cancelled
 * ones. As with required checks, only the newest run of a name in a workflow counts, regardless of its trigger. A job
 * of another workflow is another check, even with the same name.
 */
export function whyNotGreen({ checks, statuses }: CommitFindings): string | undefined {
  const runs = newestRuns(checks);
  const done = runs.filter((run) => run.status === "completed");
  const failed = done.find((run) => !FINE.has(run.conclusion));
  if (failed !== undefined) {
    const { name, conclusion } = failed;
    const how = conclusion === "failure" ? "failed" : `ended with ${String(conclusion).replaceAll("_", " ")}`;
    return `the check ${name} ${how}`;
  }
  const bad = statuses.find(({ state }) => state !== "success" && !UNDECIDED.has(state));
  if (bad !== undefined) return `the commit status ${bad.context} is ${bad.state}`;
  const running = runs.length - done.length;
  if (running > 0) return `${running} of ${runs.length} ${runs.length === 1 ? "check is" : "checks are"} still running`;
  const pending = statuses.find(({ state }) => UNDECIDED.has(state));
  if (pending !== undefined) return `the commit status ${pending.context} is ${pending.state}`;
  return whyNotJudged(runs, statuses);
}

function newestRuns(checks: readonly CheckRun[]): readonly CheckRun[] {
  const ordered = [...checks].sort((a, b) => a.id - b.id);
  return [...new Map(ordered.map((run) => [JSON.stringify([run.app, run.workflow, run.name]), run])).values()];
}

/**
 * Whether checks of a commit still run, and nothing else is wrong. A pending status does not count: it may wait for a
 * person, and never ends by itself.
 */
export function areRunning({ checks, statuses }: CommitFindings): boolean {
  const runs = newestRuns(checks);
  return (
    runs.some(({ status }) => status !== "completed") &&
    runs.every(({ status, conclusion }) => status !== "completed" || FINE.has(conclusion)) &&
    statuses.every(({ state }) => state === "success")
  );
}

function whyNotJudged(runs: readonly CheckRun[], statuses: readonly CommitStatus[]): string | undefined {
  if (runs.some((run) => isGate(run) && run.conclusion === "success")) return undefined;
  if (statuses.some(({ context }) => context === GATE_CHECK)) return undefined;
  const gate = `the gate (the check ${GATE_CHECK} of ${GATE})`;
  return runs.some(isGate) ? `${gate} was skipped` : `${gate} did not run`;
}

/** Whether a commit has a verdict of the gate, or will get one. */
export function hasGate({ checks, statuses }: CommitFindings): boolean {
  return checks.some(isGate) || statuses.some(({ context }) => context === GATE_CHECK);
}

function isGate({ name, workflow }: CheckRun): boolean {
  return name === GATE_CHECK && workflow === GATE;
}
