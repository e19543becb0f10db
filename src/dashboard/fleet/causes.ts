import { compareText } from "../../document/order.ts";
import type { ClusterRow, Lacking } from "./clusters.ts";
import { causeKey } from "./filter.ts";

/** Why clusters do not have what they should. */
export interface Causes {
  /** How many clusters there are for which one is given. */
  readonly clusters: number;
  /** That of most clusters first. */
  readonly causes: readonly Cause[];
  /** What has no line of its own. */
  readonly rest: { readonly causes: number; readonly clusters: number };
}

/** Clusters that lack a version for one reason. */
export interface Cause extends Lacked {
  readonly count: number;
  /** Of the one that lacks it for longest, as far as that is known. Unix milliseconds. */
  readonly oldestMs: number | undefined;
  /** The region with most of them, where that is more than half and there are others. */
  readonly mostly: { readonly region: string; readonly count: number } | undefined;
}

interface Lacked {
  readonly key: string;
  readonly lacking: Lacking;
}

const MOST_CAUSES = 20;

/** Groups clusters by why they lack a version. */
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
