import { Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from "prom-client";
import { oncePer } from "../document/once.ts";
import type { ControllerMetrics, FleetFigures, RolloutFigures } from "../ports.ts";

/** The metrics of a process. */
export interface OpenMetrics {
  readonly metrics: ControllerMetrics;
  /** All metrics in the text format of Prometheus. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Buckets in seconds: from a landscape without a change to one that waits for many objects. */
const DURATIONS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Limit of field managers per landscape, since anyone can choose such a name; further ones count as `other`. */
const MOST_MANAGERS = 20;

/** Creates the metrics. Names and labels are an interface: alerts and dashboards use them. */
export function openMetrics(): OpenMetrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    metrics: { ...events(registers), ready: arrivals(registers), ...merged(states(registers), fleet(registers)) },
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

type Events = Pick<ControllerMetrics, "synced" | "drifted" | "fetched" | "asked">;

/** The counters. They remain for landscapes that are gone: a counter that vanishes looks like a restart. */
function events(registers: Registry[]): Events {
  const syncs = new Counter({
    name: "kyma_modules_sync_total",
    help: "Syncs of a landscape, by their result.",
    labelNames: ["landscape", "result"],
    registers,
  });
  const durations = new Histogram({
    name: "kyma_modules_sync_duration_seconds",
    help: "Duration of the syncs of a landscape.",
    labelNames: ["landscape"],
    buckets: DURATIONS,
    registers,
  });
  const drifts = new Counter({
    name: "kyma_modules_drift_total",
    help: "Drift found, by the field manager that caused it.",
    labelNames: ["landscape", "manager"],
    registers,
  });
  const fetches = new Counter({
    name: "kyma_modules_fetch_total",
    help: "Fetches of the followed repository, by their result.",
    labelNames: ["result"],
    registers,
  });
  const requests = new Counter({
    name: "kyma_modules_api_requests_total",
    help: "Requests to the API server of a landscape, by the HTTP status code of each answer.",
    labelNames: ["landscape", "verb", "code"],
    registers,
  });
  const nameOf = boundedNames(MOST_MANAGERS);
  return {
    synced: (landscape, result, tookMs) => {
      syncs.inc({ landscape, result });
      durations.observe({ landscape }, tookMs / 1000);
    },
    drifted: (landscape, manager) => {
      drifts.inc({ landscape, manager: nameOf(landscape, manager) });
    },
    fetched: (result) => {
      fetches.inc({ result });
    },
    asked: (landscape, verb, code) => {
      requests.inc({ landscape, verb, code: code ?? "none" });
    },
  };
}

/** The gauges of the current state. */
function states(registers: Registry[]): Omit<ControllerMetrics, keyof Events | "seen" | "ready"> {
  const of = (name: string, help: string, ...labels: readonly string[]): LandscapeGauge =>
    landscapeGauge({ name: `kyma_modules_${name}`, help, labelNames: ["landscape", ...labels], registers });
  const entries = of("entries", "Entries of the last plan, by state.", "state");
  const refused = of("refused_entries", "Refused entries of the last plan, by refusal.", "refusal");
  const waves = of("wave", "1 for the current state of an entry in its wave.", "module", "channel", "state");
  const leader = of("leader", "1 if this process holds the lease of the landscape.");
  const lag = new Gauge({
    name: "kyma_modules_revision_lag_seconds",
    help: "Age of the fetched commit that is not synced everywhere.",
    registers,
  });
  return {
    planned: (landscape, byState, byRefusal) => {
      entries.set(
        landscape,
        Object.entries(byState).map(([state, value]) => ({ labels: { state }, value })),
      );
      refused.set(
        landscape,
        [...byRefusal].map(([refusal, value]) => ({ labels: { refusal }, value })),
      );
    },
    inWaves: (landscape, each) => {
      waves.set(
        landscape,
        each.map(({ module, channel, state }) => ({ labels: { module, channel, state }, value: 1 })),
      );
    },
    leads: (landscape, isLeader) => void leader.set(landscape, [{ value: isLeader ? 1 : 0 }]),
    lags: (ms) => {
      lag.set(ms / 1000);
    },
    forget: (landscape) => {
      for (const gauge of [entries, refused, waves, leader]) gauge.delete(landscape);
    },
  };
}

type FleetMetrics = Pick<ControllerMetrics, "seen" | "leads" | "forget">;

/** Buckets in seconds: from clusters that upgrade at once to those that wait for a maintenance window. */
const READY_TIMES = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 3600, 14_400, 86_400, 604_800];

const ENTRY = ["module", "channel", "version"] as const;

function arrivals(registers: Registry[]): ControllerMetrics["ready"] {
  const times = new Histogram({
    name: "kyma_modules_time_to_ready_seconds",
    help: "Time from the apply of a version to Ready, for clusters that were observed to upgrade.",
    labelNames: ["landscape", ...ENTRY],
    buckets: READY_TIMES,
    registers,
  });
  return (landscape, entry, tookMs) => {
    times.observe({ landscape, ...entryOf(entry) }, tookMs / 1000);
  };
}

/** The gauges of clusters. A process that no longer leads does not observe clusters. */
function fleet(registers: Registry[]): FleetMetrics {
  const of = (name: string, help: string, ...labels: readonly string[]): LandscapeGauge =>
    landscapeGauge({ name: `kyma_modules_${name}`, help, labelNames: ["landscape", ...labels], registers });
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
      const runs = of((all) => all.clusters.map(({ clusters: value, ...labels }) => ({ labels, value })));
      const faring = of((all) => all.rollouts.flatMap(fares));
      clusters.set(landscape, runs);
      rollouts.set(landscape, faring);
      ratio.set(
        landscape,
        of((all) => all.rollouts.map((one) => ({ labels: entryOf(one), value: one.failingRatio }))),
      );
      before.set(
        landscape,
        of((all) =>
          all.rollouts.flatMap((one) =>
            one.failedBefore === undefined ? [] : [{ labels: entryOf(one), value: one.failedBefore }],
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
  return Object.entries(states).map(([state, value]) => ({ labels: { ...entryOf(one), state }, value }));
}

function entryOf({ module, channel, version }: Pick<RolloutFigures, "module" | "channel" | "version">) {
  return { module, channel, version };
}

/** Merges metrics; both receive `leads` and `forget`. */
function merged<A extends Pick<FleetMetrics, "leads" | "forget">, B extends FleetMetrics>(a: A, b: B): A & B {
  return {
    ...a,
    ...b,
    leads: (landscape: string, isLeader: boolean) => {
      a.leads(landscape, isLeader);
      b.leads(landscape, isLeader);
    },
    forget: (landscape: string) => {
      a.forget(landscape);
      b.forget(landscape);
    },
  };
}

/** A value with the labels that identify it within a landscape. */
interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples by landscape. A function is called when the metrics are read. */
type LandscapeGauge = Map<string, readonly Sample[] | (() => readonly Sample[])>;

/** A gauge that reads its values from a map, so that samples removed from the map disappear. */
function landscapeGauge(configuration: GaugeConfiguration<string>): LandscapeGauge {
  const rows: LandscapeGauge = new Map();
  const gauge: Gauge = new Gauge({
    ...configuration,
    collect: () => {
      gauge.reset();
      for (const [landscape, values] of rows)
        for (const { labels, value } of typeof values === "function" ? values() : values)
          gauge.set({ landscape, ...labels }, value);
    },
  });
  return rows;
}

/** Returns the first `most` names of each landscape unchanged, and `other` for further ones. */
function boundedNames(most: number): (landscape: string, name: string) => string {
  const known = new Map<string, Set<string>>();
  return (landscape, name) => {
    const names = known.get(landscape) ?? new Set();
    known.set(landscape, names);
    if (names.size < most) names.add(name);
    return names.has(name) ? name : "other";
  };
}
