import { compareText } from "../../document/order.ts";
import type { ClusterRow, ClusterState } from "./clusters.ts";

/** The clusters of each region, drawn as squares. */
export interface Regions {
  /** The number of clusters per square. */
  readonly unit: number;
  /** The largest first. */
  readonly regions: readonly RegionSquares[];
  /** The regions that are not drawn. */
  readonly rest: { readonly regions: number; readonly clusters: number };
}

/** One region. */
export interface RegionSquares {
  /** `undefined` if no label names it. */
  readonly region: string | undefined;
  readonly clusters: number;
  /** The number of clusters with the wanted version. */
  readonly have: number;
  /** The number of squares of each kind that occurs, those in order first. */
  readonly squares: readonly { readonly kind: SquareKind; readonly count: number }[];
}

/** `old`: Ready, but without the wanted version; `off`: not reconciled, or in an unknown state. */
export type SquareKind = "ok" | "old" | "off" | "processing" | "warning" | "error";

const KINDS: readonly SquareKind[] = ["ok", "old", "off", "processing", "warning", "error"];
const MOST_SQUARES = 400;
const MOST_REGIONS = 30;
/** The numbers of clusters per square for larger fleets. */
const LARGER_UNITS = [25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

/** Draws the clusters of each region, with at most 400 squares in all. */
export function regionsOf(rows: readonly ClusterRow[]): Regions {
  const tallies = [...tally(rows)].toSorted(
    ([a, one], [b, other]) => other.clusters - one.clusters || compareText(nameOf(a), nameOf(b)),
  );
  const shown = tallies.slice(0, MOST_REGIONS);
  const rest = tallies.slice(MOST_REGIONS);
  const drawn = (unit: number): readonly RegionSquares[] =>
    shown.map(([region, { kinds, ...counts }]) => ({ region, ...counts, squares: squaresOf(kinds, unit) }));
  let unit = 1;
  for (const next of LARGER_UNITS) {
    const counts = drawn(unit).flatMap(({ squares }) => squares.map(({ count }) => count));
    if (counts.reduce((sum, count) => sum + count, 0) <= MOST_SQUARES) break;
    unit = next;
  }
  return {
    ...{ unit, regions: drawn(unit) },
    rest: { regions: rest.length, clusters: rest.reduce((sum, [, { clusters }]) => sum + clusters, 0) },
  };
}

function nameOf(region = ""): string {
  return region;
}

interface RegionTally {
  clusters: number;
  have: number;
  readonly kinds: Map<SquareKind, number>;
}

function tally(rows: readonly ClusterRow[]): ReadonlyMap<string | undefined, RegionTally> {
  const tallies = new Map<string | undefined, RegionTally>();
  for (const row of rows) {
    const one = tallies.get(row.region) ?? { clusters: 0, have: 0, kinds: new Map<SquareKind, number>() };
    tallies.set(row.region, one);
    const kind = row.state === "Ready" && row.lacking === undefined ? "ok" : LACKING[row.state];
    one.clusters += 1;
    one.have += Number(row.lacking === undefined);
    one.kinds.set(kind, (one.kinds.get(kind) ?? 0) + 1);
  }
  return tallies;
}

const LACKING: Readonly<Record<ClusterState, SquareKind>> = {
  Ready: "old",
  Processing: "processing",
  Changing: "processing",
  Warning: "warning",
  Error: "error",
  Deleting: "off",
  Unmanaged: "off",
  Skipped: "off",
  Unknown: "off",
};

/** Each kind gets at least one square, at the expense of the largest kind. */
function squaresOf(kinds: ReadonlyMap<SquareKind, number>, unit: number): RegionSquares["squares"] {
  const present = KINDS.flatMap((kind) => {
    const clusters = kinds.get(kind) ?? 0;
    return clusters === 0 ? [] : [{ kind, clusters, count: Math.max(1, Math.floor(clusters / unit)) }];
  });
  const total = Math.floor(present.reduce((sum, { clusters }) => sum + clusters, 0) / unit);
  const most = Math.max(...present.map(({ clusters }) => clusters));
  const largest = present.find(({ clusters }) => clusters === most);
  const others = present.reduce((sum, one) => sum + (one === largest ? 0 : one.count), 0);
  return present.map((one) => ({ kind: one.kind, count: one === largest ? Math.max(1, total - others) : one.count }));
}
