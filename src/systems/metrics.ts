import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ControllerMetrics } from "../ports.ts";
import { arrivals, fleet } from "./fleetMetrics.ts";
import { boundedNames, gaugesIn } from "./gauges.ts";

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
    metrics: {
      ...events(registers),
      ready: arrivals(registers),
      ...merged(merged(states(registers), waves(registers)), fleet(registers)),
    },
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
      if (tookMs !== undefined) durations.observe({ landscape }, tookMs / 1000);
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
function states(registers: Registry[]): Omit<ControllerMetrics, keyof Events | "seen" | "ready" | "inWaves"> {
  const of = gaugesIn(registers);
  const entries = of("entries", "Entries of the last plan, by state.", "state");
  const refused = of("refused_entries", "Refused entries of the last plan, by refusal.", "refusal");
  const retries = of(
    "retries_pending",
    "Modules that wait for another attempt after a failure; everything counts as one.",
  );
  const withheld = of("withheld_modules", "Modules whose files cannot be used, and which stay as they were.");
  const leader = of("leader", "1 if this process holds the lease of the landscape.");
  const ofLeader = [entries, refused, retries, withheld];
  const lag = new Gauge({
    name: "kyma_modules_revision_lag_seconds",
    help: "Longest time that a landscape has been without a fetched commit.",
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
    retries: (landscape, count) => void retries.set(landscape, [{ value: count }]),
    withheld: (landscape, count) => void withheld.set(landscape, [{ value: count }]),
    leads: (landscape, isLeader) => {
      // What this process saw last is not true any more once another one leads.
      if (!isLeader) for (const gauge of ofLeader) gauge.delete(landscape);
      leader.set(landscape, [{ value: isLeader ? 1 : 0 }]);
    },
    lags: (ms) => {
      lag.set(ms / 1000);
    },
    forget: (landscape) => {
      for (const gauge of [...ofLeader, leader]) gauge.delete(landscape);
    },
  };
}

/** The gauges of waves. */
function waves(registers: Registry[]): Pick<ControllerMetrics, "inWaves" | "leads" | "forget"> {
  const of = gaugesIn(registers);
  const states = of("wave", "1 for the current state of an entry in its wave.", "module", "channel", "state");
  const help = "Time since a version was applied that some clusters wait for.";
  const ages = of("wave_age_seconds", help, "module", "channel");
  const forget = (landscape: string): void => {
    for (const gauge of [states, ages]) gauge.delete(landscape);
  };
  return {
    inWaves: (landscape, each) => {
      states.set(
        landscape,
        each.map(({ module, channel, state }) => ({ labels: { module, channel, state }, value: 1 })),
      );
      const waiting = each.flatMap(({ sinceMs, ...one }) => (sinceMs === undefined ? [] : [{ ...one, sinceMs }]));
      ages.set(landscape, () =>
        waiting.map(({ module, channel, sinceMs }) => ({
          labels: { module, channel },
          value: (Date.now() - sinceMs) / 1000,
        })),
      );
    },
    leads: (landscape, isLeader) => {
      if (!isLeader) forget(landscape);
    },
    forget,
  };
}

/** What changes with the leader of a landscape. */
type Led = Pick<ControllerMetrics, "leads" | "forget">;

/** Merges metrics; both receive `leads` and `forget`. */
function merged<A extends Led, B extends Led>(a: A, b: B): A & B {
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
