import type { Evidence } from "../catalogue/evidence/evidence.ts";
import type { RecordedCommit } from "../catalogue/history/history.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { History, Run } from "../ports.ts";
import type { Gathered } from "./gather.ts";
import { timelineOf, type TimelineEvent, type TimelineQuestion } from "./timeline/timeline.ts";

/** The last commits of merged branches, by their hashes. */
export type BranchTips = TimelineQuestion["branchTips"];

/** Reads the last commits of the branches that changed `modules`. Throws GIT_FAILED. */
export async function readBranchTips(
  { histories, recorded }: Pick<Gathered, "histories" | "recorded">,
  modules: readonly ModuleName[],
  history: Pick<History, "commits">,
  run: Run,
): Promise<BranchTips> {
  const revisions = modules
    .map(histories.of)
    .flatMap(({ served, holds }) => [
      ...[...served.values()].flat().map(({ revision }) => revision),
      ...holds.flatMap(({ to }) => to ?? []),
    ]);
  const merged = new Set(revisions.flatMap(({ index }) => recorded.commits[index]?.parents[1] ?? []));
  const tips: readonly RecordedCommit[] = await history.commits([...merged], run);
  return new Map(tips.map((tip) => [tip.commit, tip]));
}

/** Everything that happened to a module, newest first. */
export function tellTimeline(
  module: ModuleName,
  { histories, recorded, merged, catalogue }: Gathered,
  branchTips: BranchTips,
  evidence: readonly Evidence[],
): readonly TimelineEvent[] {
  const { commits } = recorded;
  return timelineOf({ module, history: histories.of(module), commits, branchTips, pulls: merged, catalogue, evidence });
}
