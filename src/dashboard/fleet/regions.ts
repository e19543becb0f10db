import { compareText } from "../../document/order.ts";
import type { ClusterRow, ClusterState } from "./clusters.ts";

/** The clusters of each region as squares. */
export interface Regions {
  /** How many clusters a square is of. */
  readonly unit: number;
  /** The largest first. */
  readonly regions: readonly RegionSquares[];
  /** What is too much to be drawn. */
  readonly rest: { readonly regions: number; readonly clusters: number };
}

/** One region. */
export interface RegionSquares {
  /** `undefined`: no label names one. */
  readonly region: string | undefined;
  readonly clusters: number;
  /** How many have the version that they should. */
  readonly have: number;
  /** How many squares of each kind, those in order first; only kinds that there are. */
  readonly squares: readonly { readonly kind: SquareKind; readonly count: number }[];
}

/** `old`: Ready, but not as wanted; `off`: not looked after, or nothing is said of it. */
export type SquareKind = "ok" | "old" | "off" | "processing" | "warning" | "error";

const KINDS: readonly SquareKind[] = ["ok", "old", "off", "processing", "warning", "error"];
const MOST_SQUARES = 400;
const MOST_REGIONS = 30;
/** How many clusters a square may be of, if one each is too much. */
const LARGER_UNITS = [25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

/** Draws the clusters of each region, in 400 squares at most. */
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
    if (squaresIn(drawn(unit)) <= MOST_SQUARES) break;
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
    const kind = kindOf(row);
    one.clusters += 1;
    one.have += Number(row.lacking === undefined);
    one.kinds.set(kind, (one.kinds.get(kind) ?? 0) + 1);
  }
  return tallies;
}

/** The mark of a cluster. */
export function kindOf({ state, lacking }: Pick<ClusterRow, "state" | "lacking">): SquareKind {
  return state === "Ready" && lacking === undefined ? "ok" : LACKING[state];
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
  "Not said": "off",
};

/** A kind with fewer clusters than a square is of gets one, too; the largest kind gives it up. */
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

function squaresIn(regions: readonly RegionSquares[]): number {
  return regions.reduce((sum, { squares }) => squares.reduce((inner, { count }) => inner + count, sum), 0);
}
