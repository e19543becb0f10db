import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it, type TestContext } from "vitest";
import { openMetrics } from "../../src/systems/metrics.ts";
import { root } from "../house/clone.ts";
import { happen } from "./happening.ts";
import { emptyFolder } from "./repository.ts";

const ALERTS = join(root, ".github/monitoring/alerts.yaml");
const DASHBOARD = join(root, ".github/monitoring/dashboard.json");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
}

const { groups } = load(readFileSync(ALERTS, "utf8")) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync(DASHBOARD, "utf8")) as Dashboard;

/** By metric, the labels of its samples. */
async function printed(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const opened = openMetrics();
  happen(opened.metrics);
  const samples = [...(await opened.read()).text.matchAll(/^(kyma_modules_\w+)(?:\{(.*)\})? /gm)];
  const names = Map.groupBy(samples, ([, name = ""]) => name);
  const labelsIn = (text = ""): readonly string[] => [...text.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
  return new Map([...names].map(([name, some]) => [name, new Set(some.flatMap(([, , labels]) => labelsIn(labels)))]));
}

/** What an expression names that no metric has; `template` is the text that its result is shown by. */
async function unknownIn(expression: string, template: string): Promise<readonly string[]> {
  const metrics = await printed();
  const names = [...expression.matchAll(/kyma_modules_\w+/g)].map(([name]) => name);
  const labels = new Set(names.flatMap((name) => [...(metrics.get(name) ?? [])]));
  const matched = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(
    ([, text = ""]) => text.match(/\w+(?=\s*[=!]~?")/g) ?? [],
  );
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, text = ""]) => text.split(", "));
  const shown = [...template.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(([, label = ""]) => label);
  expect(names).not.toEqual([]);
  return [
    ...names.filter((name) => !metrics.has(name)),
    ...[...matched, ...grouped].filter((label) => !labels.has(label)),
    ...shown.filter((label) => !grouped.includes(label)),
  ];
}

/** Runs promtool; skips the test if it is not installed. */
function promtool(context: TestContext, ...args: readonly string[]): void {
  try {
    execFileSync("promtool", args, { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    context.skip("promtool is not installed (Debian: prometheus)");
  }
}

describe("the alert rules", () => {
  it("have unique names, and say what is wrong and what to do", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(["summary", "description"]);
  });

  it.each(rules)("use only existing metrics and labels: $alert", async ({ expr, annotations }) => {
    expect(await unknownIn(expr, Object.values(annotations).join("\n"))).toEqual([]);
  });

  it("are accepted by promtool", (context) => {
    promtool(context, "check", "rules", ALERTS);
  });

  it("report a leader that stopped seeing clusters, or never saw any", (context) => {
    const seen = "kyma_modules_fleet_seen_timestamp_seconds";
    const leading = ["seen", "lost", "blind"].map(
      (name) => [`kyma_modules_leader{landscape="${name}"}`, "1x30"] as const,
    );

    expectFiring(context, "KymaModulesBlind", ["blind", "lost"], {
      ...Object.fromEntries(leading),
      [`${seen}{landscape="seen"}`]: "0+60x30",
      [`${seen}{landscape="lost"}`]: "0+60x5 300x25",
    });
  });

  it("report a version that fails on most clusters if it is unknown how many failed before", (context) => {
    const series = (name: string, landscape: string): string =>
      `kyma_modules_${name}{landscape="${landscape}",channel="fast",module="istio",version="1.2.0"}`;

    expectFiring(context, "KymaModulesVersionFails", ["unknown"], {
      [series("failing_ratio", "unknown")]: "0.6x30",
      [series("failing_ratio", "few")]: "0.4x30",
      [series("failing_ratio", "known")]: "0.6x30",
      [series("failing_before_ratio", "known")]: "0.6x30",
    });
  });
});

/** Expects that an alert fires after half an hour for these landscapes only. `series` in the notation of promtool. */
function expectFiring(
  context: TestContext,
  alert: string,
  landscapes: readonly string[],
  series: Readonly<Record<string, string>>,
): void {
  const test = {
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count by (landscape) (ALERTS{alertname="${alert}", alertstate="firing"})`,
        eval_time: "30m",
        exp_samples: landscapes.map((name) => ({ labels: `{landscape="${name}"}`, value: 1 })),
      },
    ],
  };
  const folder = emptyFolder();
  folder.write({ "tests.json": JSON.stringify({ rule_files: [ALERTS], tests: [test] }) });
  promtool(context, "test", "rules", join(folder.path, "tests.json"));
}

describe("the dashboard", () => {
  it("has panels with unique ids, and queries with unique names", () => {
    const { panels } = dashboard;

    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { targets } of panels) expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  });

  it.each(dashboard.panels)("names only metrics and labels that there are: $title", async ({ targets }) => {
    for (const { expr, legendFormat } of targets)
      expect(await unknownIn(expr.replaceAll("$landscape", ""), legendFormat)).toEqual([]);
  });

  it("shows every metric, and has a variable for landscapes of an existing metric", async () => {
    const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n");
    const base = [...(await printed()).keys()].map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));

    expect(base.filter((name) => !shown.includes(name))).toEqual([]);
    expect(dashboard.templating.list.map(({ query }) => query)).toContain(
      "label_values(kyma_modules_leader, landscape)",
    );
  });
});
