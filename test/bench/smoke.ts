import { join } from "node:path";
import { findBinaries } from "../../src/systems/embedded/binaries.ts";
import { environmentFrom } from "../../src/systems/environment.ts";
import { quietRun } from "../support/quietRun.ts";
import { atMost, type Measurement, ratioOf, type Sample, seriesOf } from "./figures.ts";
import type { Program } from "./wholeProcess.ts";
import { inRounds, ROOT, type Workbench } from "./workbench.ts";

/** Modules of the sample that no channel serves in two versions: one path each. */
const MODULES = ["message-broker", "service-mesh", "audit-log", "data-pipeline"] as const;

/** `smoke` on embedded control planes, start and end of these included: one path, and four modules at once. */
export async function measureSmoke(bench: Workbench): Promise<Measurement> {
  await findBinaries(environmentFrom(process.env), bench.say, quietRun(bench.signal));
  const [one, four]: [Sample[], Sample[]] = [[], []];
  await inRounds("smoke", bench, async (round) => {
    const [first] = MODULES;
    for (const [samples, modules] of [
      [one, [first]],
      [four, MODULES],
    ] as const) {
      const { stdout, wallSeconds, cpuSeconds, peakMiB } = await bench.measure(programFor(modules, bench));
      const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly result: string }[] };
      const passed = items.filter(({ result }) => result === "passed").length;
      if (passed !== modules.length) throw new Error(`smoke passed ${passed} of ${modules.length}:\n${stdout}`);
      if (round > 0) samples.push({ wallSeconds, cpuSeconds, peakMiB, details: {} });
    }
  });
  const [alone, together] = ["one module", "four modules at once"] as const;
  const series = [seriesOf(alone, one), seriesOf(together, four)];
  const figure = ({ wallSeconds }: Sample): number => wallSeconds;
  const ratio = ratioOf({ name: "four at once", of: [together, four], to: [alone, one], figure });
  return {
    name: "smoke",
    what: "kyma-modules smoke --cluster embedded of modules of the sample, control planes included",
    series,
    ratios: [ratio],
    limits: [
      atMost("one path, wall", 6, "s", series[0]?.wallSeconds ?? null),
      atMost("four modules at once, against one", 2, "times", ratio.ratio),
    ],
  };
}

function programFor(modules: readonly string[], { folder }: Workbench): Program {
  const main = join(ROOT, "src", "cli", "kyma-modules.js");
  const options = ["--cluster", "embedded", "--concurrency", "4", "--fresh", "--format", "json", "--repo", ROOT];
  const env = { NODE_COMPILE_CACHE: join(folder, "compile-cache") };
  return { program: process.execPath, args: [main, "smoke", ...modules, ...options], cwd: ROOT, env };
}
