import type { Evidence } from "../catalogue/evidence/evidence.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { History, Run } from "../ports.ts";
import type { Gathered } from "./gather.ts";
import { timelineOf, type TimelineEvent, type TimelineQuestion } from "./timeline/timeline.ts";

/** The commits of merged branches, by the merge. */
export type MergedBranches = TimelineQuestion["branches"];

/** Reads the commits of the branches that changed `modules`. Throws GIT_FAILED. */
export async function readBranches(
  { histories, recorded }: Pick<Gathered, "histories" | "recorded">,
  modules: readonly ModuleName[],
  history: Pick<History, "brought">,
  run: Run,
): Promise<MergedBranches> {
  const revisions = modules
    .map(histories.of)
    .flatMap(({ served, holds }) => [
      ...[...served.values()].flat().map(({ revision }) => revision),
      ...holds.flatMap(({ to }) => to ?? []),
    ]);
  const indexes = new Set(revisions.map(({ index }) => index));
  const merges = recorded.commits.filter(({ parents }, index) => parents.length > 1 && indexes.has(index));
  return history.brought(merges, run);
}

/** Everything that happened to a module, newest first. */
export function tellTimeline(
  module: ModuleName,
  { histories, recorded, merged, catalogue }: Gathered,
  branches: MergedBranches,
  evidence: readonly Evidence[],
): readonly TimelineEvent[] {
  const { commits } = recorded;
  return timelineOf({ module, history: histories.of(module), commits, branches, pulls: merged, catalogue, evidence });
}
