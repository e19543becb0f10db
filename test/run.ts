// `npm test`: every static check and every test, and one closing line that counts them.
// `npm test -- PATH…` runs the named tests only; `--long` those of test/long, and so on.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { endWith, readArguments } from "./house/arguments.ts";
import { runLabelled, say } from "./house/labelled.ts";
import { SUMMARY_VARIABLE } from "./house/reporter.ts";
import {
  close,
  judgeCoverage,
  NO_SUMMARY,
  type CheckOutcome,
  type Closing,
  type TestSummary,
} from "./house/summary.ts";
import { temporaryRoot } from "./house/temporaryRoot.ts";

const cwd = join(import.meta.dirname, "..");
const tool = (path: string): string => join(cwd, "node_modules", path);

/** The static checks, those that answer soonest first. */
const CHECKS: readonly (readonly [label: string, ...args: string[]])[] = [
  ["imports", "test/house/imports.ts"],
  ["types", tool("typescript/bin/tsc"), "--project", "."],
  ["types of the browser's files", tool("typescript/bin/tsc"), "--project", "src/dashboard/islands"],
  ["format", "test/house/format.ts"],
  ["docstrings", tool("typedoc/bin/typedoc"), "--logLevel", "Warn"],
  ["lint", "test/house/lint.ts"],
];

const interruption = new AbortController();

async function check(label: string, args: readonly string[]): Promise<CheckOutcome> {
  const startedMs = performance.now();
  const code = await runLabelled({ label, args, cwd }, interruption.signal);
  const kind = code === 0 ? "passed" : "failed";
  say(label, `${kind} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  return { name: label, kind };
}

async function checkAll(): Promise<readonly CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const [label, ...args] of CHECKS) {
    if (!interruption.signal.aborted) outcomes.push(await check(label, args));
  }
  return outcomes;
}

/** What vitest found, and its exit code, in which it also judges coverage. */
async function runTests(args: readonly string[]): Promise<{ tests: TestSummary; exitCode: number }> {
  const folder = mkdtempSync(join(temporaryRoot(), "kyma-modules-"));
  const summary = join(folder, "summary.json");
  const reporters = ["--reporter=default", `--reporter=${join(cwd, "test/house/reporter.ts")}`];
  const vitest = [tool("vitest/vitest.mjs"), "run", ...reporters, ...args];
  // One arena, since that of a thread keeps what it once held: a process that starts another copies its page tables.
  const env = { TMPDIR: folder, MALLOC_ARENA_MAX: "1", [SUMMARY_VARIABLE]: summary };
  try {
    const exitCode = await runLabelled({ label: "tests", args: vitest, cwd, env }, interruption.signal);
    const tests = existsSync(summary) ? (JSON.parse(readFileSync(summary, "utf8")) as TestSummary) : NO_SUMMARY;
    return { tests, exitCode };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function finish({ lines, exitCode }: Closing): number {
  console.log(["", ...lines].join("\n"));
  return exitCode;
}

/** The whole of `npm test`, in two lanes: the checks one after the other, and the tests beside them. */
async function everything(): Promise<number> {
  const [checks, { tests, exitCode }] = await Promise.all([checkAll(), runTests(["--coverage"])]);
  return finish(close(tests, [...checks, judgeCoverage(exitCode, tests)]));
}

/** The tests that `args` name, without the checks and without coverage, which only the full run can have. */
async function some(args: readonly string[], isOfName: boolean): Promise<number> {
  const { tests: ran, exitCode } = await runTests(args);
  // A test of another name is skipped, and says nothing.
  const tests = isOfName ? { ...ran, skipped: ran.skipped.filter(({ reason }) => reason !== undefined) } : ran;
  const isUnexplained = exitCode !== 0 && tests.failed.length === 0;
  return finish(
    close(
      { ...tests, slowest: [] },
      isUnexplained ? [{ kind: "failed", name: `vitest ended with code ${exitCode}` }] : [],
    ),
  );
}

const USAGE = `usage: npm test                       every static check and every test
       npm test -- [-t NAME] PATH…    the tests in these files and folders, of that name only
       npm run test:long [-- PATH…]   what takes too long for every change
       npm run test:faults [-- PATH…] what becomes of a controller in trouble, with figures
       npm run test:e2e [-- PATH…]    the way from a commit to clusters, with a real lifecycle-manager
       npm run test:endurance         half an hour of commits, edits, restarts and outages, ending as Git says`;

/** The folders whose tests run by themselves. */
const APART = ["long", "faults", "e2e", "endurance"] as const;

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0) return everything();
  const called = readArguments(args, USAGE, {
    long: { type: "boolean" },
    faults: { type: "boolean" },
    e2e: { type: "boolean" },
    endurance: { type: "boolean" },
    testNamePattern: { type: "string", short: "t" },
    // For the tests of this file.
    config: { type: "string" },
  });
  if (called.kind === "end") return endWith(called);
  const { testNamePattern: name, config } = called.values;
  const mode = APART.find((one) => called.values[one] === true);
  const options = Object.entries({ mode, testNamePattern: name, config }).flatMap(([option, value]) =>
    value === undefined ? [] : [`--${option}`, value],
  );
  return some([...options, ...called.positionals], name !== undefined);
}

// npm passes Ctrl-C on to a program that the terminal has told already, so a second signal means nothing here.
let interruptedBy: "SIGINT" | "SIGTERM" | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    interruptedBy ??= signal;
    interruption.abort();
  });
}

const code = await main(process.argv.slice(2));
process.exitCode = interruptedBy === undefined ? code : 128 + constants.signals[interruptedBy];
