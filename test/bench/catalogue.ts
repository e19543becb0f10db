import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applySetParent } from "../../src/kubernetes/applySet.ts";
import { directorySource } from "../../src/systems/files/files.ts";
import { quietRun } from "../support/quietRun.ts";
import { compileSample } from "./compileSample.ts";
import { atMost, ratioOf, seriesOf, type Measurement, type Sample } from "./figures.ts";
import { writeSampleCatalogue } from "./sampleCatalogue.ts";
import { asLive } from "./sampleLive.ts";
import { commitAll } from "./sampleRepository.ts";
import { inRounds, type Workbench } from "./workbench.ts";

const MODULES = 2_000;
const FILES = 10_000;
/** Objects a page, as the API server gives them. */
const PAGE = 500;

interface Contestant {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  /** What the script must have done, for the run to count. */
  readonly items: number;
  readonly samples: Sample[];
}

/** 10,000 channel files: load, compile and plan them, from a directory and from a Git revision. */
export async function measureCatalogue(bench: Workbench): Promise<Measurement> {
  const folder = join(bench.folder, "catalogue");
  const live = join(bench.folder, "live");
  bench.say(`catalogue: writing ${FILES} channel files`);
  mkdirSync(folder);
  writeSampleCatalogue(folder, MODULES);
  await commitAll(folder, bench.signal);
  const objects = await writeLive(folder, live, bench.signal);
  const contestant = (name: string, script: string, args: readonly string[], items: number): Contestant => {
    return { name, script, args, items, samples: [] };
  };
  const directory = contestant("directory", "planCatalogue.ts", [folder, live], objects);
  const revision = contestant("revision", "planCatalogue.ts", [folder, live, "HEAD"], objects);
  const jsYaml = contestant("js-yaml", "parseWithJsYaml.ts", [folder], FILES);
  const yaml = contestant("yaml", "parseWithYaml.ts", [folder], FILES);
  const all = [directory, revision, jsYaml, yaml];
  await inRounds("catalogue", bench, async (round) => {
    for (const one of all) {
      const sample = await runOnce(one, bench);
      if (round > 0) one.samples.push(sample);
    }
  });
  return judge(all.map(({ name, samples }) => [name, samples]));
}

function judge([directory, revision, jsYaml, yaml]: (readonly [string, readonly Sample[]])[]): Measurement {
  const series = [directory, revision, jsYaml, yaml].flatMap((one) => (one === undefined ? [] : [seriesOf(...one)]));
  const ratio = (of = directory, to = directory): Measurement["ratios"] => {
    if (of === undefined || to === undefined) return [];
    return [ratioOf({ name: "wall seconds", of, to, figure: ({ wallSeconds }) => wallSeconds })];
  };
  const ratios = [...ratio(revision, directory), ...ratio(directory, jsYaml), ...ratio(directory, yaml)];
  return {
    name: "catalogue",
    what: `${FILES} channel files of 75 lines: load, compile and plan against a control plane in step (its lists read from files), in a process of its own; the peers only parse them`,
    series,
    ratios,
    limits: [
      atMost("from a directory, wall", 4, "s", series[0]?.wallSeconds ?? null),
      atMost("from a directory, peak memory", 500, "MiB", series[0]?.peakMiB ?? null),
      atMost("from a Git revision, of that from a directory", 1.5, "times", ratios[0]?.ratio ?? null),
    ],
  };
}

async function runOnce({ name, script, args, items }: Contestant, { folder, measure }: Workbench): Promise<Sample> {
  const { stdout, wallSeconds, cpuSeconds, peakMiB } = await measure({
    program: process.execPath,
    args: [join(import.meta.dirname, "programs", script), ...args],
    cwd: folder,
    env: { NODE_COMPILE_CACHE: join(folder, "compile-cache") },
  });
  const { items: found, unchanged = items, ...details } = JSON.parse(stdout) as Record<string, number>;
  if (found !== items || unchanged !== items) throw new Error(`${name} did not do its work: ${stdout}`);
  return { wallSeconds, cpuSeconds, peakMiB, details };
}

/** Writes what a control plane holds once it is synced, in pages; gives the number of its objects. */
async function writeLive(folder: string, path: string, signal: AbortSignal): Promise<number> {
  const { target, templates, releaseMetas } = await compileSample(
    directorySource(folder),
    "kcp-system",
    quietRun(signal),
  );
  const live = [applySetParent(target.namespace), ...templates, ...releaseMetas].map(asLive);
  for (let page = 0; page * PAGE < live.length; page++) {
    writeFileSync(`${path}.${page}`, JSON.stringify(live.slice(page * PAGE, (page + 1) * PAGE)));
  }
  return live.length;
}
