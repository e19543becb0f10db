import type { ControllerMetrics, EntryState } from "../../src/ports.ts";

/** No entry at all. */
export const NONE: Readonly<Record<EntryState, number>> = {
  ...{ unchanged: 0, create: 0, raise: 0, lower: 0, remove: 0, refused: 0, waiting: 0 },
};

/** Everything that can happen, once. */
export function happen(metrics: ControllerMetrics, landscape = "dev"): void {
  metrics.synced(landscape, "done", 1_500);
  metrics.planned(landscape, { ...NONE, unchanged: 3, refused: 1 }, new Map([["module-in-use", 1]]));
  metrics.inWaves(landscape, [{ module: "a", channel: "fast", state: "waiting", sinceMs: Date.now() - 60_000 }]);
  metrics.retries(landscape, 2);
  metrics.withheld(landscape, 1);
  metrics.drifted(landscape, "kubectl-edit");
  metrics.lags(2_500);
  metrics.fetched("moved");
  metrics.leads(landscape, true);
  metrics.asked(landscape, "patch", 409);
  metrics.asked(landscape, "get", undefined);
  const entry = { module: "a", channel: "fast", version: "1.1.0" };
  metrics.seen(landscape, 7_000, () => ({
    clusters: [{ ...entry, state: "Ready", clusters: 4 }],
    rollouts: [{ ...entry, inOrder: 3, pending: 2, failing: 1, failingRatio: 0.25, failedBefore: 0.1 }],
    uses: [{ module: "a", version: "1.1.0", healthyMs: 90_000 }],
  }));
  metrics.ready(landscape, entry, 12_000);
}
