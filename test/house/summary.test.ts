import { describe, expect, it } from "vitest";
import { close, judgeCoverage, NO_SUMMARY, type TestSummary } from "./summary.ts";

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

  it("fail a vitest that ended before it reported, and a run without tests", () => {
    expect(close(NO_SUMMARY, []).exitCode).toBe(1);
    expect(close({ passed: 0, failed: [], skipped: [], slowest: [] }, []).exitCode).toBe(1);
  });
});
