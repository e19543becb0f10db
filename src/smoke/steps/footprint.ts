import { counted } from "../../document/counted.ts";
import type { ModuleContent } from "../content.ts";
import { requested } from "../judge/footprint.ts";
import type { Footprint } from "../path.ts";
import type { Run } from "../../ports.ts";
import type { StepContext, StepOutcome } from "../step.ts";

/** Compares the resources of the version with those of the previous one. Without pods, nothing starts. */
export function footprint({ pods, from, to, seen }: StepContext, _run: Run): Promise<StepOutcome> {
  if (!pods) return Promise.resolve({ kind: "notChecked", why: "nothing runs pods here" });
  const { starts, memory } = seen;
  const before = from && moduleFootprint(from, starts.from, memory.from);
  const after = moduleFootprint(to, starts.to, memory.to);
  const notes = [footprintText(after), ...(before === undefined ? [] : [`before: ${footprintText(before)}`])];
  return Promise.resolve({ kind: "passed", seen: { footprint: { from: before, to: after } }, notes });
}

function moduleFootprint(
  { version, objects }: ModuleContent,
  startSeconds: number | undefined,
  memoryBytes: number | undefined,
): Footprint {
  return {
    ...{ version: version.version, ...requested(objects) },
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(startSeconds !== undefined && { startSeconds }),
  };
}

function footprintText({ images, requests, memoryBytes, startSeconds }: Footprint): string {
  const memory = memoryBytes === undefined ? "" : `, uses ${mebibytes(memoryBytes)}`;
  const start = startSeconds === undefined ? "" : `, started in ${startSeconds.toFixed(1)} s`;
  const { cpuMillicores } = requests;
  return `${counted(images.length, "image")}, requests ${cpuMillicores}m and ${mebibytes(requests.memoryBytes)}${memory}${start}`;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
