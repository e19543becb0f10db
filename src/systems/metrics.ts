import { Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from "prom-client";
import { oncePer } from "../document/once.ts";
import type { ControllerMetrics, FleetFigures, RolloutFigures } from "../ports.ts";

/** The metrics of a process. */
export interface OpenMetrics {
  readonly metrics: ControllerMetrics;
  /** All of them, as Prometheus reads them. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Seconds: from a landscape without a change to one that waits for many objects. */
const DURATIONS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Anybody can name a field manager: so many of a landscape are told apart, and the others are one. */
const MOST_MANAGERS = 20;

/** Metrics that nothing has happened to yet. Names and labels are an interface: alerts and dashboards name them. */
export function openMetrics(): OpenMetrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    metrics: { ...events(registers), ready: arrivals(registers), ...merged(states(registers), fleet(registers)) },
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

type Events = Pick<ControllerMetrics, "synced" | "drifted" | "fetched" | "asked">;

/** What is counted. It stays for landscapes that are gone: a counter that vanishes looks like a restart. */
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
    help: "Times that drift was found, by the field manager that caused it.",
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

/** What is true now. */
function states(registers: Registry[]): Omit<ControllerMetrics, keyof Events | "seen" | "ready"> {
  const of = (name: string, help: string, ...labels: readonly string[]): LandscapeGauge =>
    landscapeGauge({ name: `kyma_modules_${name}`, help, labelNames: ["landscape", ...labels], registers });
  const entries = of("entries", "Entries of the last plan, by what becomes of them.", "state");
  const refused = of("refused_entries", "Refused entries of the last plan, by what refuses them.", "refusal");
  const waves = of("wave", "1 for the state of an entry in its wave.", "module", "channel", "state");
  const leader = of("leader", "1 where this process holds the lease of the landscape.");
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

/** Seconds: from clusters that are asked at once to those that wait for a maintenance window. */
const READY_TIMES = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 3600, 14_400, 86_400, 604_800];

const ENTRY = ["module", "channel", "version"] as const;

function arrivals(registers: Registry[]): ControllerMetrics["ready"] {
  const times = new Histogram({
    name: "kyma_modules_time_to_ready_seconds",
    help: "Time from the apply of a version to Ready, of clusters that were seen to upgrade.",
    labelNames: ["landscape", ...ENTRY],
    buckets: READY_TIMES,
    registers,
  });
  return (landscape, entry, tookMs) => {
    times.observe({ landscape, ...entryOf(entry) }, tookMs / 1000);
  };
}

/** What is true of clusters. Who no longer leads does not see them. */
function fleet(registers: Registry[]): FleetMetrics {
  const of = (name: string, help: string, ...labels: readonly string[]): LandscapeGauge =>
    landscapeGauge({ name: `kyma_modules_${name}`, help, labelNames: ["landscape", ...labels], registers });
  const clusters = of("clusters", "Clusters by the version that they run and its state.", ...ENTRY, "state");
  const rollouts = of("rollout_clusters", "Clusters of an entry by how they fare with its version.", ...ENTRY, "state");
  const ratio = of("failing_ratio", "Share of the clusters that fail with the version of an entry.", ...ENTRY);
  const before = of("failing_before_ratio", "The same before the version was applied.", ...ENTRY);
  const uses = of("exposure_seconds", "Time that clusters were seen to be Ready, added up.", "module", "version");
  const seen = of("fleet_seen_timestamp_seconds", "When the clusters of the landscape were seen last.");
  const forget = (landscape: string): void => {
    for (const gauge of [clusters, rollouts, ratio, before, uses, seen]) gauge.delete(landscape);
  };
  return {
    seen: (landscape, atMs, figures) => {
      // Who reads one of them reads all of them.
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

/** Both hear of what both want to hear of. */
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

/** A value, and the labels that name it within a landscape. */
interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The values of a landscape, whose labels name them; a function is called when they are read. */
type LandscapeGauge = Map<string, readonly Sample[] | (() => readonly Sample[])>;

/** A gauge that shows what is in a map when it is read: what a landscape has no more is not shown any more. */
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

/** As many names of each landscape as they come, and `other` for more. */
function boundedNames(most: number): (landscape: string, name: string) => string {
  const known = new Map<string, Set<string>>();
  return (landscape, name) => {
    const names = known.get(landscape) ?? new Set();
    known.set(landscape, names);
    if (names.size < most) names.add(name);
    return names.has(name) ? name : "other";
  };
}
