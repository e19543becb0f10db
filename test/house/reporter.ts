import { writeFileSync } from "node:fs";
import type { SerializedError } from "vitest";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { LONG } from "./longTag.ts";
import { type Skipped, slowest, type SlowFile, type TestSummary } from "./summary.ts";

/** The environment variable that names the file for the summary. */
export const SUMMARY_VARIABLE = "KYMA_MODULES_TEST_SUMMARY";

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

/** Why a test did not run: what it said itself, or that it is yet to be written. */
function skipped(test: TestCase): Skipped {
  const result = test.result();
  const note = result.state === "skipped" ? result.note : undefined;
  return { name: nameOf(test), reason: note, isLong: test.tags.includes(LONG) };
}

/** Errors that belong to no test: of a file that does not load, or of a hook. */
function errorsOutside(modules: readonly TestModule[]): readonly string[] {
  return modules.flatMap((module) => {
    const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    return [...module.errors(), ...suites].map(({ message }) => `${module.relativeModuleId}: ${firstLine(message)}`);
  });
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

/** The tests of `modules`, by what became of them. */
function summarize(modules: readonly TestModule[], unhandled: readonly SerializedError[]): TestSummary {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state: string): readonly TestCase[] => tests.filter((test) => test.result().state === state);
  return {
    passed: inState("passed").length,
    failed: [
      ...[...inState("failed"), ...inState("pending")].map(nameOf),
      ...errorsOutside(modules),
      ...unhandled.map(({ message }) => `outside of any test: ${firstLine(message)}`),
    ],
    skipped: inState("skipped").map(skipped),
    slowest: slowest(modules.map(slowFile)),
  };
}

function slowFile(module: TestModule): SlowFile {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return { name: module.relativeModuleId, tookMs: setupDuration + collectDuration + duration };
}

/** Writes the summary of the run, as JSON, to the file that the environment names. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env[SUMMARY_VARIABLE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(summarize(modules, unhandled)));
  }
}
