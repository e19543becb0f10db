import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { ControllerMetrics } from "../../src/ports.ts";
import { openMetrics } from "../../src/systems/metrics.ts";
import { happen, NONE } from "./happening.ts";

/** The samples of a text in the format of Prometheus: each line is a comment of a known kind, or a sample. */
function samplesIn(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !/^# (HELP|TYPE) [a-z_]+ \S/.test(line));
  return new Map(
    lines.map((line) => {
      const sample = /^([a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*\})?) (\S+)$/.exec(line);
      if (sample === null) throw new Error(`not a sample: ${line}`);
      return [sample[1] ?? "", Number(sample[2])];
    }),
  );
}

/** The samples after `work`, without the buckets of the histogram. */
async function samplesAfter(work: (metrics: ControllerMetrics) => void): Promise<Readonly<Record<string, number>>> {
  const opened = openMetrics();
  work(opened.metrics);
  const samples = samplesIn((await opened.read()).text);
  return Object.fromEntries([...samples].filter(([name]) => !name.includes("_bucket")));
}

const named = (samples: Readonly<Record<string, number>>, start: string): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(samples).filter(([name]) => name.startsWith(`kyma_modules_${start}`)));

describe("the metrics of the controller", () => {
  it("have the names and labels that alerts use", async () => {
    expect(await samplesAfter(happen)).toEqual({
      'kyma_modules_sync_total{landscape="dev",result="done"}': 1,
      'kyma_modules_sync_duration_seconds_sum{landscape="dev"}': 1.5,
      'kyma_modules_sync_duration_seconds_count{landscape="dev"}': 1,
      'kyma_modules_entries{landscape="dev",state="unchanged"}': 3,
      'kyma_modules_entries{landscape="dev",state="create"}': 0,
      'kyma_modules_entries{landscape="dev",state="raise"}': 0,
      'kyma_modules_entries{landscape="dev",state="lower"}': 0,
      'kyma_modules_entries{landscape="dev",state="remove"}': 0,
      'kyma_modules_entries{landscape="dev",state="refused"}': 1,
      'kyma_modules_entries{landscape="dev",state="waiting"}': 0,
      'kyma_modules_refused_entries{landscape="dev",refusal="module-in-use"}': 1,
      'kyma_modules_drift_total{landscape="dev",manager="kubectl-edit"}': 1,
      'kyma_modules_wave{landscape="dev",module="a",channel="fast",state="waiting"}': 1,
      'kyma_modules_wave_age_seconds{landscape="dev",module="a",channel="fast"}': expect.closeTo(60, 0) as number,
      'kyma_modules_retries_pending{landscape="dev"}': 2,
      'kyma_modules_withheld_modules{landscape="dev"}': 1,
      kyma_modules_revision_lag_seconds: 2.5,
      'kyma_modules_fetch_total{result="moved"}': 1,
      'kyma_modules_leader{landscape="dev"}': 1,
      'kyma_modules_api_requests_total{landscape="dev",verb="patch",code="409"}': 1,
      'kyma_modules_api_requests_total{landscape="dev",verb="get",code="none"}': 1,
      'kyma_modules_time_to_ready_seconds_sum{landscape="dev",module="a",channel="fast"}': 12,
      'kyma_modules_time_to_ready_seconds_count{landscape="dev",module="a",channel="fast"}': 1,
      'kyma_modules_clusters{landscape="dev",module="a",channel="fast",version="1.1.0",state="Ready"}': 4,
      'kyma_modules_rollout_clusters{landscape="dev",module="a",channel="fast",version="1.1.0",state="in_order"}': 3,
      'kyma_modules_rollout_clusters{landscape="dev",module="a",channel="fast",version="1.1.0",state="pending"}': 2,
      'kyma_modules_rollout_clusters{landscape="dev",module="a",channel="fast",version="1.1.0",state="failing"}': 1,
      'kyma_modules_failing_ratio{landscape="dev",module="a",channel="fast",version="1.1.0"}': 0.25,
      'kyma_modules_failing_before_ratio{landscape="dev",module="a",channel="fast",version="1.1.0"}': 0.1,
      'kyma_modules_exposure_seconds{landscape="dev",module="a",version="1.1.0"}': 90,
      'kyma_modules_fleet_seen_timestamp_seconds{landscape="dev"}': 7,
    });
  });

  it("count repeated events, and show only the current state", async () => {
    const samples = await samplesAfter((metrics) => {
      happen(metrics);
      metrics.synced("dev", "done", 500);
      metrics.planned("dev", NONE, new Map([["not-ours", 2]]));
      metrics.inWaves("dev", [{ module: "a", channel: "fast", state: "passed", sinceMs: undefined }]);
      metrics.synced("dev", "failed", undefined);
    });

    expect(samples).toMatchObject({
      'kyma_modules_sync_total{landscape="dev",result="done"}': 2,
      'kyma_modules_sync_total{landscape="dev",result="failed"}': 1,
      'kyma_modules_sync_duration_seconds_count{landscape="dev"}': 2,
    });
    expect(named(samples, "refused")).toEqual({
      'kyma_modules_refused_entries{landscape="dev",refusal="not-ours"}': 2,
    });
    expect(Object.keys(named(samples, "wave")).join()).toContain('state="passed"');
    expect(Object.keys(named(samples, "wave"))).toHaveLength(1);
  });

  it("remove the gauges of a landscape that is no longer followed, and keep its counters", async () => {
    const samples = await samplesAfter((metrics) => {
      for (const landscape of ["dev", "prod"]) happen(metrics, landscape);
      metrics.forget("dev");
    });
    const ofDev = Object.keys(samples).filter((name) => name.includes('"dev"'));

    expect(ofDev.map((name) => name.replace(/\{.*/, "").replace("kyma_modules_", ""))).toEqual([
      ...["sync_total", "sync_duration_seconds_sum", "sync_duration_seconds_count", "drift_total"],
      ...["api_requests_total", "api_requests_total", "time_to_ready_seconds_sum", "time_to_ready_seconds_count"],
    ]);
    expect(named(samples, "entries")).toHaveProperty('kyma_modules_entries{landscape="prod",state="refused"}');
  });

  it("remove what they showed of a landscape when another process leads it", async () => {
    const samples = await samplesAfter((metrics) => {
      happen(metrics);
      metrics.leads("dev", false);
    });

    const shown = ["clusters", "rollout", "fleet", "entries", "refused", "wave", "retries", "withheld"];
    expect(shown.map((start) => named(samples, start))).toEqual(shown.map(() => ({})));
    expect(samples).toHaveProperty('kyma_modules_leader{landscape="dev"}', 0);
  });

  it("omit an unknown failing ratio of before", async () => {
    const samples = await samplesAfter((metrics) => {
      const entry = { module: "a", channel: "fast", version: "1.1.0" };
      const rollout = { ...entry, inOrder: 1, pending: 0, failing: 0, failingRatio: 0, failedBefore: undefined };
      metrics.seen("dev", 0, () => ({ clusters: [], rollouts: [rollout], uses: [] }));
    });

    expect(Object.keys(named(samples, "failing")).map((name) => name.replace(/\{.*/, ""))).toEqual([
      "kyma_modules_failing_ratio",
    ]);
  });

  it("distinguish a limited number of field managers with any names", async () => {
    const samples = await samplesAfter((metrics) => {
      metrics.drifted("dev", 'a"\n\\');
      for (let index = 0; index < 100; index++) metrics.drifted("dev", `manager-${index}`);
      metrics.drifted("dev", 'a"\n\\');
    });
    const drifts = named(samples, "drift");

    expect(Object.keys(drifts)).toHaveLength(21);
    expect(drifts).toMatchObject({ 'kyma_modules_drift_total{landscape="dev",manager="other"}': 81 });
    expect(drifts).toHaveProperty(['kyma_modules_drift_total{landscape="dev",manager="a\\"\\n\\\\"}'], 2);
  });

  it("are accepted by promtool, with and without events", async (context) => {
    for (const work of [() => undefined, happen]) {
      const opened = openMetrics();
      work(opened.metrics);
      const { contentType, text: input } = await opened.read();

      expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
      try {
        execFileSync("promtool", ["check", "metrics"], { input, encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        return context.skip("promtool is not installed (Debian: prometheus)");
      }
    }
  });
});
