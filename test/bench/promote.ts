import { join } from "node:path";
import { atMost, ratioOf, seriesOf, type Measurement, type Ratio, type Sample, type Spread } from "./figures.ts";
import { preparePromoteCalls } from "./promoteCalls.ts";
import { writeSampleHistory } from "./sampleHistory.ts";
import type { Program } from "./wholeProcess.ts";
import { inRounds, ROOT, type Workbench } from "./workbench.ts";

const MODULES = 200;
const COMMITS = 10_000;
/** What must not cost more than its share: the same with ten times fewer commits. */
const FEW_COMMITS = COMMITS / 10;
/** The same history each time. */
const SEED = 4;

/** What a run with nothing to do may ask GitHub, beside one question for each open promotion. */
const BASE_CALLS = 3;

/** One thing to run, and what its output says of the work that it did; throws when it did not do it. */
interface Contestant {
  readonly name: string;
  readonly program: Program;
  readonly read: (stdout: string) => Sample["details"];
  readonly samples: Sample[];
}

/** What is run on one history. */
interface OnHistory {
  /** Git itself, which lists the changes that verdicts are made of. */
  readonly git: Contestant;
  readonly promote: Contestant;
  readonly parts: Contestant;
}

/** `promote` and `simulate` on 200 modules over 10,000 commits, beside Git; and what `promote` asks GitHub. */
export async function measurePromote(bench: Workbench): Promise<Measurement> {
  const [many, few] = [join(bench.folder, "promote-many"), join(bench.folder, "promote-few")];
  bench.say(`promote: writing histories of ${MODULES} modules with ${COMMITS} and ${FEW_COMMITS} commits`);
  await writeSampleHistory(many, { modules: MODULES, commits: COMMITS, seed: SEED }, bench.signal);
  await writeSampleHistory(few, { modules: MODULES, commits: FEW_COMMITS, seed: SEED }, bench.signal);
  const onMany = contestantsOn(many, COMMITS, bench);
  const onFew = contestantsOn(few, FEW_COMMITS, bench);
  const simulate = simulation(many, bench);
  const contestants = [onMany, onFew].flatMap(({ git, promote, parts }) => [git, promote, parts]).concat(simulate);
  const calls = await preparePromoteCalls(bench);
  const asked: Sample[] = [];
  try {
    await inRounds("promote", bench, async (round) => {
      for (const one of contestants) {
        const { stdout, wallSeconds, cpuSeconds, peakMiB } = await bench.measure(one.program);
        const sample = { wallSeconds, cpuSeconds, peakMiB, details: one.read(stdout) };
        if (round > 0) one.samples.push(sample);
      }
      const sample = await calls.again();
      if (round > 0) asked.push(sample);
    });
  } finally {
    await calls.close();
  }
  return judge({ onMany, onFew, simulate, asked: { name: calls.name, samples: asked } }, contestants);
}

function contestantsOn(repository: string, commits: number, bench: Workbench): OnHistory {
  const about = `${MODULES} modules, ${commits} commits`;
  const flags = ["--first-parent", "--diff-merges=first-parent", "--raw", "--no-abbrev", "--no-renames", "--format=%H"];
  return {
    git: {
      name: `git log, ${about}`,
      program: { program: "git", args: ["log", ...flags, "HEAD", "--", "channels", "modules"], cwd: repository },
      read: (stdout) => ({ listedMiB: stdout.length / 1024 ** 2 }),
      samples: [],
    },
    promote: {
      name: `promote, ${about}`,
      program: kyma(["promote"], repository, bench),
      read: readVerdicts,
      samples: [],
    },
    parts: {
      name: `parts of promote, one after the other, ${about}`,
      program: {
        program: process.execPath,
        args: [join(import.meta.dirname, "programs", "promoteParts.ts"), repository],
        cwd: bench.folder,
      },
      read: (stdout) => JSON.parse(stdout) as Record<string, number>,
      samples: [],
    },
  };
}

function simulation(repository: string, bench: Workbench): Contestant {
  return {
    name: `simulate, ${MODULES} modules, ${COMMITS} commits`,
    program: kyma(["simulate"], repository, bench),
    read: (stdout) => {
      const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly kind: string }[] };
      if (!items.some(({ kind }) => kind === "total")) throw new Error("simulate added nothing up");
      return { items: items.length };
    },
    samples: [],
  };
}

/** A cold process: nothing is remembered of what it read; compiled code is, as Node does by itself. */
function kyma(args: readonly string[], repository: string, { folder }: Workbench): Program {
  const main = join(ROOT, "src", "cli", "kyma-modules.js");
  return {
    program: process.execPath,
    args: [main, ...args, "--offline", "--repo", repository, "--format", "json"],
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: join(folder, "compile-cache"), XDG_CACHE_HOME: join(folder, "cache") },
  };
}

interface VerdictItem {
  readonly kind: string;
  readonly candidates: readonly unknown[];
}

function readVerdicts(stdout: string): Sample["details"] {
  const { items } = JSON.parse(stdout) as { readonly items: readonly VerdictItem[] };
  if (items.length !== MODULES) throw new Error(`promote gave ${items.length} verdicts`);
  return {
    verdicts: items.length,
    toPromote: items.filter(({ kind }) => kind === "promote").length,
    candidates: items.reduce((sum, { candidates }) => sum + candidates.length, 0),
  };
}

interface Outcome {
  readonly onMany: OnHistory;
  readonly onFew: OnHistory;
  readonly simulate: Contestant;
  readonly asked: Pick<Contestant, "name" | "samples">;
}

function judge({ onMany, onFew, simulate, asked }: Outcome, contestants: readonly Contestant[]): Measurement {
  const series = [...contestants, asked].map(({ name, samples }) => seriesOf(name, samples));
  const of = ({ name }: Pick<Contestant, "name">): (typeof series)[number] | undefined =>
    series.find((one) => one.name === name);
  const wallOf = (one: Contestant): Spread | null => of(one)?.wallSeconds ?? null;
  const calls = of(asked);
  const open = calls?.details["openPromotions"]?.median ?? 0;
  return {
    name: "promote",
    what: `promote --offline and simulate --offline from start to exit, from a local clone: ${MODULES} modules over ${COMMITS} first-parent commits, and over ${FEW_COMMITS}; beside git log of the same history; and promote --apply with nothing to do on a double of GitHub, with a warm cache`,
    series,
    ratios: [
      ratio("wall seconds", onMany.promote, onMany.git, wall),
      ratio("wall seconds", onFew.promote, onFew.git, wall),
      ratio("CPU seconds", onMany.promote, onMany.git, cpu),
      ratio("wall seconds, ten times the commits", onMany.promote, onFew.promote, wall),
      ratio("CPU seconds, ten times the commits", onMany.promote, onFew.promote, cpu),
    ],
    limits: [
      atMost(`verdicts for ${MODULES} modules over ${COMMITS} commits, wall`, 2, "s", wallOf(onMany.promote)),
      atMost(`simulate, ${MODULES} modules over ${COMMITS} commits, wall`, 10, "s", wallOf(simulate)),
      atMost(
        `API calls with nothing to do, a warm cache and ${open} open promotions`,
        BASE_CALLS + open,
        "calls",
        calls?.details["calls"] ?? null,
      ),
    ],
  };
}

const wall = ({ wallSeconds }: Sample): number => wallSeconds;
const cpu = ({ cpuSeconds }: Sample): number => cpuSeconds ?? Number.NaN;

function ratio(name: string, of: Contestant, to: Contestant, figure: (sample: Sample) => number): Ratio {
  return ratioOf({ name, of: [of.name, of.samples], to: [to.name, to.samples], figure });
}
