import type { ModuleContent } from "../content.ts";
import { requested } from "../judge/footprint.ts";
import type { Footprint } from "../path.ts";
import type { Run } from "../../ports.ts";
import type { StepContext, StepOutcome } from "../step.ts";

/** What the version takes, beside the version before. Without pods nobody saw it start. */
export function footprint({ pods, from, to, seen }: StepContext, _run: Run): Promise<StepOutcome> {
  if (!pods) return Promise.resolve({ kind: "notChecked", why: "nothing runs pods here" });
  const [before, after] = [from && footprintOf(from, seen.starts.from), footprintOf(to, seen.starts.to)];
  const notes = [footprintText(after), ...(before === undefined ? [] : [`before: ${footprintText(before)}`])];
  return Promise.resolve({ kind: "passed", seen: { footprint: { from: before, to: after } }, notes });
}

function footprintOf({ version, objects }: ModuleContent, startSeconds: number | undefined): Footprint {
  return { version: version.version, ...requested(objects), ...(startSeconds !== undefined && { startSeconds }) };
}

function footprintText({ images, requests, startSeconds }: Footprint): string {
  const { cpuMillicores, memoryBytes } = requests;
  const start = startSeconds === undefined ? "" : `, started in ${startSeconds.toFixed(1)} s`;
  const count = images.length === 1 ? "1 image" : `${images.length} images`;
  return `${count}, requests ${cpuMillicores}m and ${Math.round(memoryBytes / 2 ** 20)} MiB${start}`;
}
