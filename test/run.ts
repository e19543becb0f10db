// `npm test`: every static check, all tests but the long ones, and one closing line that counts them.
// `npm test -- PATH…` runs the named tests only; `--long` the long ones, and so on.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { endWith, readArguments } from "./house/arguments.ts";
import { runLabelled, say } from "./house/labelled.ts";
import { SUMMARY_VARIABLE } from "./house/reporter.ts";
import {
  both,
  close,
  judgeCoverage,
  judgeEnd,
  leaveOut,
  NO_SUMMARY,
  type CheckOutcome,
  type Closing,
  type TestSummary,
} from "./house/summary.ts";
import { temporaryRoot } from "./house/temporaryRoot.ts";
import { LONG } from "./house/longTag.ts";

const cwd = join(import.meta.dirname, "..");
const tool = (path: string): string => join(cwd, "node_modules", path);
/** The static checks, each a program of `test/house/`, those that answer soonest first. */
const CHECKS = ["imports", "types", "format", "docstrings", "lint"] as const;

const interruption = new AbortController();

async function check(label: string): Promise<CheckOutcome> {
  const startedMs = performance.now();
  const code = await runLabelled({ label, args: [`test/house/${label}.ts`], cwd }, interruption.signal);
  const kind = code === 0 ? "passed" : "failed";
  say(label, `${kind} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  return { name: label, kind };
}

async function checkAll(): Promise<readonly CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const label of CHECKS) {
    if (!interruption.signal.aborted) outcomes.push(await check(label));
  }
  return outcomes;
}

const WITHOUT_LONG = `--tagsFilter=!${LONG}`;

/** What vitest found, and its exit code, in which it also judges coverage. */
interface Ran {
  readonly tests: TestSummary;
  readonly exitCode: number;
}

async function runTests(label: string, args: readonly string[]): Promise<Ran> {
  const folder = mkdtempSync(join(temporaryRoot(), "kyma-modules-"));
  const summary = join(folder, "summary.json");
  const reporters = ["--reporter=default", `--reporter=${join(cwd, "test/house/reporter.ts")}`];
  const vitest = [tool("vitest/vitest.mjs"), "run", ...reporters, ...args];
  // One arena, since that of a thread keeps what it once held: a process that starts another copies its page tables.
  const env = { TMPDIR: folder, MALLOC_ARENA_MAX: "1", [SUMMARY_VARIABLE]: summary };
  try {
    const exitCode = await runLabelled({ label, args: vitest, cwd, env }, interruption.signal);
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

/** What one of the two lanes found. */
interface Lane {
  readonly checks: readonly CheckOutcome[];
  readonly tests: TestSummary;
}

/** The checks, then the tests of what only computes. Those that are counted cover every branch of it. */
async function checksAndPure(): Promise<Lane> {
  const checks = await checkAll();
  const oneWorker = ["--maxWorkers=1", WITHOUT_LONG];
  const counted = await runTests("pure", ["--project", "pure", "--coverage", ...oneWorker]);
  const uncounted = await runTests("uncounted", ["--project", "uncounted", ...oneWorker]);
  return {
    checks: [
      ...checks,
      judgeCoverage(counted.exitCode, counted.tests),
      ...judgeEnd(uncounted.exitCode, uncounted.tests),
    ],
    tests: both(counted.tests, uncounted.tests),
  };
}

/** The tests that need more than this process. */
async function contract(): Promise<Lane> {
  const { tests, exitCode } = await runTests("contract", ["--project", "contract", WITHOUT_LONG]);
  return { checks: judgeEnd(exitCode, tests), tests };
}

/** The whole of `npm test`, in two lanes. To count branches slows all code, so only the tests that need it do. */
async function everything(): Promise<number> {
  const [one, other] = await Promise.all([checksAndPure(), contract()]);
  const { tests: ran, count } = leaveOut(both(one.tests, other.tests), ({ isLong }) => isLong !== true);
  const note = `left out ${count} of the tests, which are long: npm run test:long`;
  return finish(close(ran, [...one.checks, ...other.checks], count === 0 ? [] : [note]));
}

/** The tests that `args` name, without the checks and without coverage, which only the full run can have. */
async function some(args: readonly string[], isOfName: boolean): Promise<number> {
  const { tests: ran, exitCode } = await runTests("tests", args);
  const { tests } = leaveOut(ran, () => !isOfName);
  return finish(close({ ...tests, slowest: [] }, judgeEnd(exitCode, tests)));
}

/** The long tests of all folders, then those of `test/long`. `args` may name tests of one of these only. */
async function long(args: readonly string[], isOfName: boolean, isTagged: boolean): Promise<number> {
  const ofTag = await runTests("long", [`--tagsFilter=${LONG}`, "--passWithNoTests", ...args]);
  const ofFolder = isTagged ? undefined : await runTests("test/long", ["--mode", LONG, "--passWithNoTests", ...args]);
  const { tests: tagged } = leaveOut(ofTag.tests, ({ isLong }) => isLong === true && !isOfName);
  const { tests: apart } = leaveOut(ofFolder?.tests ?? NONE, () => !isOfName);
  const ends = [...judgeEnd(ofTag.exitCode, tagged), ...judgeEnd(ofFolder?.exitCode ?? 0, apart)];
  return finish(close({ ...both(tagged, apart), slowest: [] }, ends));
}

const NONE: TestSummary = { passed: 0, failed: [], skipped: [], slowest: [] };

const USAGE = `usage: npm test                       every static check, and all tests but the long ones
       npm test -- [-t NAME] PATH…    the tests in these files and folders, of that name only
       npm run test:long [-- PATH…]   what takes too long for every change; --tagged: without test/long
       npm run test:faults [-- PATH…] what becomes of a controller in trouble, with figures
       npm run test:e2e [-- PATH…]    the way from a commit to clusters, with a real lifecycle-manager
       npm run test:endurance         half an hour of commits, edits, restarts and outages, ending as Git says`;

/** The folders whose tests run by themselves. */
const APART = ["long", "faults", "e2e", "endurance"] as const;

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0) return everything();
  const called = readArguments(args, USAGE, {
    long: { type: "boolean" },
    tagged: { type: "boolean" },
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
  const optionsOf = (values: Readonly<Record<string, string | undefined>>): readonly string[] =>
    Object.entries(values).flatMap(([option, value]) => (value === undefined ? [] : [`--${option}`, value]));
  const chosen = [...optionsOf({ testNamePattern: name, config }), ...called.positionals];
  const isTagged = called.values.tagged === true;
  if (mode === LONG || isTagged) return long(chosen, name !== undefined, isTagged);
  return some([...optionsOf({ mode }), ...chosen], name !== undefined);
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
