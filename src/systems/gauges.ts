import { Gauge, type GaugeConfiguration, type Registry } from "prom-client";

/** A value with the labels that identify it within a landscape. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples by landscape. A function is called when the metrics are read. */
type LandscapeGauge = Map<string, readonly Sample[] | (() => readonly Sample[])>;

/** A maker of gauges that have a landscape and further labels. */
export function gaugesIn(
  registers: Registry[],
): (name: string, help: string, ...labels: readonly string[]) => LandscapeGauge {
  return (name, help, ...labels) =>
    landscapeGauge({ name: `kyma_modules_${name}`, help, labelNames: ["landscape", ...labels], registers });
}

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
export function boundedNames(most: number): (landscape: string, name: string) => string {
  const known = new Map<string, Set<string>>();
  return (landscape, name) => {
    const names = known.get(landscape) ?? new Set();
    known.set(landscape, names);
    if (names.size < most) names.add(name);
    return names.has(name) ? name : "other";
  };
}
