/** What became of the tests of one vitest run, as `reporter.ts` writes it down. */
export interface TestSummary {
  /** How many tests passed. */
  readonly passed: number;
  /** The failed tests, and whatever failed outside of a test, in one line each. */
  readonly failed: readonly string[];
  readonly skipped: readonly Skipped[];
  /** The test files that took longest, longest first. */
  readonly slowest: readonly SlowFile[];
}

/** How long a test file took, with its hooks. Milliseconds. */
export interface SlowFile {
  readonly name: string;
  readonly tookMs: number;
}

/** A test or a check that did not run. */
export interface Skipped {
  readonly name: string;
  /** What the test said with `ctx.skip(reason)`; `undefined` when it gave none. */
  readonly reason: string | undefined;
  /** Whether it has the tag of a long test. */
  readonly isLong?: boolean;
}

/** What became of one static check: it counts like a test. */
export type CheckOutcome =
  | { readonly kind: "passed" | "failed"; readonly name: string }
  | { readonly kind: "skipped"; readonly name: string; readonly reason: string };

/** The last lines of a run, and its exit code. */
export interface Closing {
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1;
}

/** Stands for the summary of a vitest that ended before it reported. */
export const NO_SUMMARY: TestSummary = {
  passed: 0,
  failed: ["vitest ended before it reported"],
  skipped: [],
  slowest: [],
};

const SHOWN_SLOW = 10;

/** The files that took longest, longest first. */
export function slowest(files: readonly SlowFile[]): readonly SlowFile[] {
  return files.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, SHOWN_SLOW);
}

/** The summary of two runs as of one. */
export function both(one: TestSummary, other: TestSummary): TestSummary {
  return {
    passed: one.passed + other.passed,
    failed: [...one.failed, ...other.failed],
    skipped: [...one.skipped, ...other.skipped],
    slowest: slowest([...one.slowest, ...other.slowest]),
  };
}

/** The tests that a run left out, since it was not asked for them. */
export interface LeftOut {
  /** The summary without them. */
  readonly tests: TestSummary;
  readonly count: number;
}

/** Leaves out the skipped tests that gave no reason and that `isAskedFor` does not hold for. */
export function leaveOut(tests: TestSummary, isAskedFor: (test: Skipped) => boolean): LeftOut {
  const skipped = tests.skipped.filter((test) => test.reason !== undefined || isAskedFor(test));
  return { tests: { ...tests, skipped }, count: tests.skipped.length - skipped.length };
}

/** What the exit code of vitest says if no test failed: that it could not do what it was asked to. */
export function judgeEnd(exitCode: number, tests: TestSummary): readonly CheckOutcome[] {
  const isUnexplained = exitCode !== 0 && tests.failed.length === 0;
  return isUnexplained ? [{ kind: "failed", name: `vitest ended with code ${exitCode}` }] : [];
}

/** What the exit code of vitest says beyond its tests: whether they covered what they must. */
export function judgeCoverage(exitCode: number, tests: TestSummary): CheckOutcome {
  const name = "coverage";
  if (exitCode === 0) return { kind: "passed", name };
  if (tests.failed.length > 0) return { kind: "skipped", name, reason: "not measured, because tests failed" };
  return { kind: "failed", name };
}

/**
 * Counts every test and every check. A skip must say why, and a run without any test proves nothing: both fail. `notes` are
 * printed before the counts.
 */
export function close(tests: TestSummary, checks: readonly CheckOutcome[], notes: readonly string[] = []): Closing {
  const skipped = [...checks.filter((check) => check.kind === "skipped"), ...tests.skipped];
  const explained = skipped.filter(({ reason }) => reason !== undefined);
  const failed = [
    ...checks.filter(({ kind }) => kind === "failed").map(({ name }) => name),
    ...tests.failed,
    ...tests.skipped
      .filter(({ reason }) => reason === undefined)
      .map(({ name }) => `${name}: skipped without a reason`),
    ...(tests.passed + tests.failed.length + tests.skipped.length === 0 ? ["no test was found"] : []),
  ];
  const passed = tests.passed + checks.filter(({ kind }) => kind === "passed").length;
  return {
    lines: [
      ...tests.slowest.map(({ name, tookMs }) => `slow     ${(tookMs / 1000).toFixed(1).padStart(5)} s  ${name}`),
      ...explained.map(({ name, reason }) => `skipped  ${name}: ${reason ?? ""}`),
      ...notes,
      ...failed.map((name) => `failed   ${name}`),
      `${passed} passed, ${failed.length} failed, ${explained.length} skipped`,
    ],
    exitCode: failed.length === 0 ? 0 : 1,
  };
}
