import type { Evidence } from "../catalogue/evidence/evidence.ts";
import type { RecordedCommit } from "../catalogue/history/history.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { History, Run } from "../ports.ts";
import type { Gathered } from "./gather.ts";
import { moduleTimeline, type TimelineEvent, type TimelineQuestion } from "./timeline/timeline.ts";

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
  const merges = revisions.map(({ index }) => index).filter((index) => isMerge(recorded.commits[index]));
  if (merges.length === 0) return new Map();
  return history.brought(recorded.commits.slice(Math.min(...merges), Math.max(...merges) + 1), run);
}

/** Everything that happened to a module, newest first. */
export function tellTimeline(
  module: ModuleName,
  { histories, recorded, merged, catalogue }: Gathered,
  branches: MergedBranches,
  evidence: readonly Evidence[],
): readonly TimelineEvent[] {
  const { commits } = recorded;
  return moduleTimeline({
    module,
    history: histories.of(module),
    commits,
    branches,
    pulls: merged,
    catalogue,
    evidence,
  });
}

function isMerge(commit: RecordedCommit | undefined): boolean {
  return commit !== undefined && commit.parents.length > 1;
}
