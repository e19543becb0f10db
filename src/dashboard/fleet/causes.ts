import { compareText } from "../../document/order.ts";
import type { ClusterRow, Lacking } from "./clusters.ts";
import { causeKey } from "./filter.ts";

/** Why clusters do not have the wanted version. */
export interface Causes {
  /** The number of clusters without the wanted version. */
  readonly clusters: number;
  /** The one with the most clusters first. */
  readonly causes: readonly Cause[];
  /** The causes beyond the limit. */
  readonly rest: { readonly causes: number; readonly clusters: number };
}

/** Clusters that lack a version for the same reason. */
export interface Cause extends Lacked {
  readonly count: number;
  /** When the oldest of their states began; `undefined` if unknown. Unix milliseconds. */
  readonly oldestMs: number | undefined;
  /** The region with more than half of them, if they are in several regions. */
  readonly mostly: { readonly region: string; readonly count: number } | undefined;
}

interface Lacked {
  readonly key: string;
  readonly lacking: Lacking;
}

const MOST_CAUSES = 20;

/** Groups clusters by the cause for which they lack a version. */
export function causesOf(rows: readonly ClusterRow[]): Causes {
  const groups = new Map<string, Tally>();
  let clusters = 0;
  for (const { lacking, sinceMs = Infinity, region } of rows) {
    if (lacking === undefined) continue;
    clusters += 1;
    const key = causeKey(lacking);
    const group: Tally = groups.get(key) ?? { key, lacking, count: 0, oldestMs: Infinity, regions: new Map() };
    groups.set(key, group);
    group.count += 1;
    group.oldestMs = Math.min(group.oldestMs, sinceMs);
    group.regions.set(region, (group.regions.get(region) ?? 0) + 1);
  }
  const sorted = [...groups.values()].toSorted((a, b) => b.count - a.count || compareText(a.key, b.key));
  const rest = sorted.slice(MOST_CAUSES);
  return {
    clusters,
    causes: sorted.slice(0, MOST_CAUSES).map(causeOf),
    rest: { causes: rest.length, clusters: rest.reduce((sum, { count }) => sum + count, 0) },
  };
}

interface Tally extends Lacked {
  count: number;
  oldestMs: number;
  readonly regions: Map<string | undefined, number>;
}

function causeOf({ oldestMs, regions, ...cause }: Tally): Cause {
  const [region, count] = [...regions].reduce((most, one) => (one[1] > most[1] ? one : most));
  const isMost = region !== undefined && regions.size > 1 && count > cause.count / 2;
  return {
    ...cause,
    oldestMs: oldestMs === Infinity ? undefined : oldestMs,
    mostly: isMost ? { region, count } : undefined,
  };
}
