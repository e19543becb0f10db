import { describe, expect, it } from "vitest";
import { both, close, judgeCoverage, judgeEnd, leaveOut, NO_SUMMARY, type TestSummary } from "./summary.ts";

const green: TestSummary = { passed: 2, failed: [], skipped: [], slowest: [] };

describe("the closing lines", () => {
  it("count each check like a test", () => {
    const closing = close(green, [
      { kind: "passed", name: "types" },
      { kind: "failed", name: "lint" },
    ]);
    expect(closing).toEqual({ lines: ["failed   lint", "3 passed, 1 failed, 0 skipped"], exitCode: 1 });
  });

  it("name the slowest files", () => {
    const slowest = [{ name: "a.test.ts", tookMs: 12_345 }];
    expect(close({ ...green, slowest }, []).lines).toEqual([
      "slow      12.3 s  a.test.ts",
      "2 passed, 0 failed, 0 skipped",
    ]);
  });

  it("say why coverage was not measured", () => {
    const tests: TestSummary = { passed: 1, failed: ["a.test.ts > fails"], skipped: [], slowest: [] };
    expect(close(tests, [judgeCoverage(1, tests)]).lines).toEqual([
      "skipped  coverage: not measured, because tests failed",
      "failed   a.test.ts > fails",
      "1 passed, 1 failed, 1 skipped",
    ]);
  });

  it("count uncovered branches as one failure", () => {
    expect(close(green, [judgeCoverage(1, green)]).lines.at(-1)).toBe("2 passed, 1 failed, 0 skipped");
    expect(close(green, [judgeCoverage(0, green)]).lines.at(-1)).toBe("3 passed, 0 failed, 0 skipped");
  });

  it("count two runs as one, with the slowest files of both", () => {
    const slow = (...tookMs: readonly number[]): TestSummary => ({
      ...green,
      slowest: tookMs.map((ms) => ({ name: `${ms}`, tookMs: ms })),
    });
    const summary = both(slow(9, 8, 7, 6, 5, 4), { ...slow(10, 3, 2, 1, 0), failed: ["a > fails"] });

    expect([summary.passed, summary.failed]).toEqual([4, ["a > fails"]]);
    expect(summary.slowest.map(({ tookMs }) => tookMs)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it("leave out long tests that a run was not asked for, but not those that say why they are skipped", () => {
    const skipped = [
      { name: "a > is long", reason: undefined, isLong: true },
      { name: "a > is long, and needs more", reason: "no kubectl", isLong: true },
      { name: "a > says nothing", reason: undefined, isLong: false },
    ];
    const { tests, count } = leaveOut({ ...green, skipped }, ({ isLong }) => isLong !== true);

    expect([tests.skipped, count]).toEqual([skipped.slice(1), 1]);
    expect(close(tests, [], ["left out 1"]).lines).toEqual([
      "skipped  a > is long, and needs more: no kubectl",
      "left out 1",
      "failed   a > says nothing: skipped without a reason",
      "2 passed, 1 failed, 1 skipped",
    ]);
  });

  it("fail a vitest that ended badly although no test failed", () => {
    expect(close(green, judgeEnd(1, green)).lines).toEqual([
      "failed   vitest ended with code 1",
      "2 passed, 1 failed, 0 skipped",
    ]);
    expect(judgeEnd(0, green)).toEqual([]);
    expect(judgeEnd(1, { ...green, failed: ["a > fails"] })).toEqual([]);
  });

  it("fail a vitest that ended before it reported, and a run without tests", () => {
    expect(close(NO_SUMMARY, []).exitCode).toBe(1);
    expect(close({ passed: 0, failed: [], skipped: [], slowest: [] }, []).exitCode).toBe(1);
  });
});
