import type { Catalogue } from "../../../src/catalogue/catalogue.ts";
import {
  moduleTimeline,
  type TimelineEvent,
  type TimelineQuestion,
  type ServedStep,
} from "../../../src/promote/timeline/timeline.ts";
import { commitOf } from "../../catalogue/history/recorded.ts";
import { catalogueOf, channelTemplate } from "../../catalogue/repository.ts";
import { historyOf, ISTIO, START_MS, type Merge } from "./timeline.ts";

/** A merge, and the message of its commit. */
export interface Said extends Merge {
  readonly subject?: string;
  readonly body?: string;
}

/** Fast, and regular, which follows it. */
export const CATALOGUE: Catalogue = catalogueOf({
  "kyma-modules.yaml": "format: 1\nlandscapes: [{ name: dev, controlPlane: { context: kcp-dev } }]\n",
  "channels/fast.yaml": "format: 1\nversions: any\nlandscapes: [dev]\n",
  "channels/regular.yaml": "format: 1\nfollows: fast\nlandscapes: [dev]\n",
  "channels/fast/istio.yaml": channelTemplate("fast"),
});

/** The timeline of istio after these merges, newest first. */
export function timelineAfter(
  merges: readonly Said[],
  known: Partial<TimelineQuestion> = {},
): readonly TimelineEvent[] {
  const commits = merges.map(({ at, subject = "change", body = "" }, index) =>
    commitOf(index, { committerMs: START_MS + at, author: "Octo Cat", subject, body }),
  );
  const nothing = { branches: new Map<string, never>(), pulls: new Map<string, never>(), evidence: [] };
  const history = historyOf(...merges);
  return moduleTimeline({ module: ISTIO, history, commits, catalogue: CATALOGUE, ...nothing, ...known });
}

/** The steps, newest first. */
export function stepsAfter(merges: readonly Said[], known: Partial<TimelineQuestion> = {}): readonly ServedStep[] {
  return timelineAfter(merges, known).filter((event) => event.kind === "step");
}

/** `channel from→to how`. */
export function gistOf(event: TimelineEvent): string {
  if (event.kind !== "step") return `${event.channel ?? "all"} ${event.version} ${event.kind}`;
  return `${event.channel} ${event.from ?? "–"}→${event.to ?? "–"} ${event.how}`;
}

/** The trailers of a promotion of istio from fast to regular. */
export function trailers(version: string, others: Readonly<Record<string, string>> = {}): string {
  const all = {
    Promotes: `istio@${version}`,
    "From-Channel": "fast",
    "To-Channel": "regular",
    "Decided-On": "c0",
    "Decided-At": "2026-01-05T00:00:00Z",
    Verdict: "sha256:1",
    ...others,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
