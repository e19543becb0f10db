import { Histogram, type Registry } from "prom-client";
import { oncePer } from "../document/once.ts";
import type { ControllerMetrics, FleetFigures, RolloutFigures } from "../ports.ts";
import { gaugesIn, type Sample } from "./gauges.ts";

type FleetMetrics = Pick<ControllerMetrics, "seen" | "leads" | "forget">;

/** Buckets in seconds: from clusters that upgrade at once to those that wait for a maintenance window. */
const READY_TIMES = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 3600, 14_400, 86_400, 604_800];

const ENTRY = ["module", "channel", "version"] as const;

/** The upgrades of clusters. */
export function arrivals(registers: Registry[]): ControllerMetrics["ready"] {
  const times = new Histogram({
    name: "kyma_modules_time_to_ready_seconds",
    help: "Time from the apply of a version to Ready, for clusters that were observed to upgrade.",
    // Without the version: its series would stay for as long as the process.
    labelNames: ["landscape", "module", "channel"],
    buckets: READY_TIMES,
    registers,
  });
  return (landscape, { module, channel }, tookMs) => {
    times.observe({ landscape, module, channel }, tookMs / 1000);
  };
}

/** The gauges of clusters. A process that no longer leads does not observe clusters. */
export function fleet(registers: Registry[]): FleetMetrics {
  const of = gaugesIn(registers);
  const clusters = of("clusters", "Clusters, by the version that they run and its state.", ...ENTRY, "state");
  const rollouts = of("rollout_clusters", "Clusters of an entry, by their state with its version.", ...ENTRY, "state");
  const ratio = of("failing_ratio", "Share of the clusters that fail with the version of an entry.", ...ENTRY);
  const before = of("failing_before_ratio", "The same before the version was applied.", ...ENTRY);
  const uses = of("exposure_seconds", "Total time that clusters were observed to be Ready.", "module", "version");
  const seen = of("fleet_seen_timestamp_seconds", "Time of the last observation of the landscape's clusters.");
  const forget = (landscape: string): void => {
    for (const gauge of [clusters, rollouts, ratio, before, uses, seen]) gauge.delete(landscape);
  };
  return {
    seen: (landscape, atMs, figures) => {
      // One read of the metrics reads all of these gauges: compute the figures once.
      const found = oncePer((read: typeof figures) => read());
      const of = (samples: (all: FleetFigures) => readonly Sample[]) => (): readonly Sample[] =>
        samples(found(figures));
      seen.set(landscape, [{ value: atMs / 1000 }]);
      clusters.set(
        landscape,
        of((all) => all.clusters.map(({ clusters: value, ...labels }) => ({ labels, value }))),
      );
      rollouts.set(
        landscape,
        of((all) => all.rollouts.flatMap(fares)),
      );
      ratio.set(
        landscape,
        of((all) => all.rollouts.map((one) => ({ labels: entryLabels(one), value: one.failingRatio }))),
      );
      before.set(
        landscape,
        of((all) =>
          all.rollouts.flatMap((one) =>
            one.failedBefore === undefined ? [] : [{ labels: entryLabels(one), value: one.failedBefore }],
          ),
        ),
      );
      uses.set(
        landscape,
        of((all) => all.uses.map(({ healthyMs, ...labels }) => ({ labels, value: healthyMs / 1000 }))),
      );
    },
    leads: (landscape, isLeader) => {
      if (!isLeader) forget(landscape);
    },
    forget,
  };
}

function fares({ inOrder, pending, failing, ...one }: RolloutFigures): readonly Sample[] {
  const states = { in_order: inOrder, pending, failing };
  return Object.entries(states).map(([state, value]) => ({ labels: { ...entryLabels(one), state }, value }));
}

function entryLabels({ module, channel, version }: Pick<RolloutFigures, "module" | "channel" | "version">) {
  return { module, channel, version };
}
