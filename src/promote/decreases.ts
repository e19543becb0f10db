import { filesOfModules } from "../catalogue/history/moduleHistory.ts";
import { instantText } from "../document/times.ts";
import type { History, Run } from "../ports.ts";
import { readWholeHistories } from "../reading/histories.ts";
import { manualDecreases } from "./verdict/holding.ts";

/** A version from which a channel went down by hand, and the sentence that says so. */
interface Decrease {
  readonly module: string;
  readonly version: string;
  readonly reason: string;
}

/**
 * The manual decreases of these modules in the history up to `commit`, that were not lifted by `nowMs`, Unix
 * milliseconds. Throws HISTORY_TOO_SHALLOW.
 */
export async function readDecreases(
  history: History,
  modules: readonly string[],
  commit: string | undefined,
  nowMs: number,
  run: Run,
): Promise<readonly Decrease[]> {
  if (commit === undefined) return [];
  const request = { revision: commit, scope: filesOfModules(modules), nowMs };
  const { histories } = await readWholeHistories(request, history, run);
  return histories.modules.flatMap((module) =>
    manualDecreases(histories.of(module), nowMs).flatMap(({ version, why }) => {
      const reason = `${why.channel} went down from ${version} to ${why.to} at ${instantText(why.at.atMs)}, which was not lifted`;
      return [{ module, version, reason }];
    }),
  );
}
