// `npm run bench`: how fast it is, beside its peers in the same run. One JSON document; progress goes to stderr.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { endWith, readArguments } from "../house/arguments.ts";
import type { Measurement, Skipped } from "./figures.ts";
import { describeMachine, describeVersions } from "./machine.ts";
import { openMeasure } from "./wholeProcess.ts";
import type { Workbench } from "./workbench.ts";

type Measure = (bench: Workbench) => Promise<Measurement | Skipped>;

/** Each is loaded when it runs, since together they load most of the program. */
const MEASUREMENTS: Readonly<Record<string, Measure>> = {
  catalogue: async (bench) => (await import("./catalogue.ts")).measureCatalogue(bench),
  check: async (bench) => (await import("./check.ts")).measureCheck(bench),
  promote: async (bench) => (await import("./promote.ts")).measurePromote(bench),
  sync: measureSync(1_000),
  "sync-5000": measureSync(5_000),
  "sync-20000": measureSync(20_000),
  controller: async (bench) => (await import("./controller.ts")).measureController(bench),
  fleet: async (bench) => (await import("./fleet.ts")).measureFleet(bench),
  pages: async (bench) => (await import("./pages.ts")).measurePages(bench),
  start: async (bench) => (await import("./start.ts")).measureStart(bench),
  smoke: async (bench) => (await import("./smoke.ts")).measureSmoke(bench),
};

function measureSync(templates: number): Measure {
  return async (bench) => (await import("./sync.ts")).measureSync(templates)(bench);
}

const USAGE = `usage: npm run bench -- [--only ${Object.keys(MEASUREMENTS).join("|")}]… [--runs N] [--out FILE]`;

interface Options {
  readonly only: readonly string[];
  readonly runs: number;
  readonly out: string | undefined;
}

/** The options, or how it ends where they say nothing that can be done. */
function readOptions(args: readonly string[]): Options | Extract<ReturnType<typeof readArguments>, { kind: "end" }> {
  const called = readArguments(args, USAGE, {
    only: { type: "string", multiple: true },
    runs: { type: "string", default: "5" },
    out: { type: "string" },
  });
  if (called.kind === "end") return called;
  const { only = Object.keys(MEASUREMENTS), runs, out } = called.values;
  const isKnown = only.every((name) => name in MEASUREMENTS) && called.positionals.length === 0;
  if (isKnown && /^[1-9]\d*$/.test(runs)) return { only, runs: Number(runs), out };
  return { kind: "end", code: 2, text: USAGE };
}

async function measureAll({ only, runs }: Options, folder: string, signal: AbortSignal): Promise<object> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const bench: Workbench = { folder, runs, signal, say, measure: await openMeasure(folder, signal) };
  const startedAt = new Date().toISOString();
  const measurements: object[] = [];
  for (const [name, measure] of Object.entries(MEASUREMENTS)) {
    if (!only.includes(name)) continue;
    const load1Before = loadavg()[0];
    measurements.push({ ...(await measure(bench)), load1Before, load1After: loadavg()[0] });
  }
  const versions = await describeVersions(signal);
  return { kind: "Benchmark", format: 1, startedAt, machine: describeMachine(), versions, measurements };
}

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if ("kind" in options) return endWith(options);
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => {
      abort.abort(new Error(`interrupted by ${signal}`));
    });
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-bench-"));
  try {
    const document = JSON.stringify(await measureAll(options, folder, abort.signal), null, 2);
    process.stdout.write(`${document}\n`);
    if (options.out !== undefined) writeFileSync(options.out, `${document}\n`);
    return 0;
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    return 130;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
