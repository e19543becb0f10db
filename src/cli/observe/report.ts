import { counted } from "../../document/counted.ts";
import { printable } from "../../document/printable.ts";
import type { ExposureSum, LiveContent } from "../../fleet/exposure.ts";
import { durationText } from "../../document/times.ts";
import type { ObservedLandscape } from "../../sync/observedLandscape.ts";

/** What was observed of a landscape: a line for each content that it serves, or served. */
export function observedText(observed: ObservedLandscape, nowMs: number): string {
  const { landscape, byController, served, exposure, unknown } = observed;
  const how = byController ? "as its controller saw it" : "at one look, since no controller observes it";
  const sums = [...exposure.values()];
  const former = sums.filter((sum) => !served.some((content) => isSame(content, sum)));
  const lines = [
    ...served.map((content) => {
      const sum = sums.find((one) => isSame(content, one));
      const appliedMs = Math.min(...content.channels.map((channel) => channel.appliedMs));
      return [`served for ${durationText(nowMs - appliedMs)}`, content, sum] as const;
    }),
    ...former.map((sum) => ["no longer served", sum, sum] as const),
  ].map(([state, { module, version }, sum]) => `  ${module} ${version}: ${state}, ${sumText(sum, unknown, nowMs)}`);
  return [
    `${landscape}: ${how}`,
    ...(lines.length === 0 ? ["  nothing that it serves is recorded"] : lines),
    ...(unknown === undefined ? [] : [`  who uses it is not known: ${unknown}`]),
  ]
    .map((line) => printable(line))
    .join("\n");
}

function isSame(content: LiveContent, sum: ExposureSum): boolean {
  return content.uid === sum.uid && content.version === sum.version && content.specHash === sum.specHash;
}

function sumText(sum: ExposureSum | undefined, unknown: string | undefined, nowMs: number): string {
  if (sum === undefined) return unknown === undefined ? "no cluster was seen to run it" : "clusters are not known";
  const { clusters, healthy, healthyMs, observedMs } = sum;
  const hours = counted(Math.floor(healthyMs / 36_000) / 100, "healthy hour");
  const seen = nowMs - observedMs < 1000 ? "now" : `${durationText(nowMs - observedMs)} ago`;
  return `${healthy} of ${counted(clusters, "cluster")} in order, ${hours}; seen ${seen}`;
}
