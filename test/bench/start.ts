import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { findBinaries } from "../../src/systems/embedded/binaries.ts";
import { environmentFrom } from "../../src/systems/environment.ts";
import { quietRun } from "../support/quietRun.ts";
import { atMost, seriesOf, type Measurement, type Sample } from "./figures.ts";
import { inRounds, ROOT, type Workbench } from "./workbench.ts";

/** `npm start -- --once` of this repository, once the binaries of the control planes are on this machine. */
export async function measureStart(bench: Workbench): Promise<Measurement> {
  await findBinaries(environmentFrom(process.env), bench.say, quietRun(bench.signal));
  const served = readdirSync(join(ROOT, "channels", "fast")).map((file) => basename(file, ".yaml"));
  const samples: Sample[] = [];
  await inRounds("start", bench, async (round) => {
    const { stdout, wallSeconds, cpuSeconds, peakMiB } = await bench.measure({
      program: "npm",
      args: ["start", "--", "--once"],
      cwd: ROOT,
    });
    const missing = served.find((module) => !stdout.includes(module));
    if (missing !== undefined) throw new Error(`npm start did not show ${missing}:\n${stdout}`);
    if (round > 0) samples.push({ wallSeconds, cpuSeconds, peakMiB, details: {} });
  });
  const series = [seriesOf("npm start -- --once", samples)];
  return {
    name: "start",
    what: "npm start -- --once with cached binaries: three control planes started, synced, shown and stopped",
    series,
    ratios: [],
    limits: [atMost("npm start -- --once, wall", 8, "s", series[0]?.wallSeconds ?? null)],
  };
}
