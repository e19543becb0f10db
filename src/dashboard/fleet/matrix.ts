import { compareVersions, parseVersion } from "../../catalogue/version.ts";
import { compareText } from "../../document/order.ts";
import { CLUSTER_STATES, type ClusterRow, type ClusterState, type ServedQuestion } from "./clusters.ts";

/** The number of clusters by version and state. */
export interface Matrix {
  /** The usual states, and rare ones that occur. */
  readonly states: readonly ClusterState[];
  /** The highest version first. */
  readonly rows: readonly MatrixRow[];
  /** In the order of `states`. */
  readonly totals: readonly number[];
}

/** The clusters with one version, or with all versions that have no row. */
export interface MatrixRow {
  readonly version: MatrixVersion;
  /** The channels that serve it. */
  readonly channels: readonly string[];
  readonly count: number;
  /** In the order of the states of the matrix. */
  readonly counts: readonly number[];
}

/** `unknown`: the running version is not known; `others`: a number of versions without a row. */
export type MatrixVersion =
  | { readonly kind: "version"; readonly version: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "others"; readonly versions: number };

/** The maximum number of versions with a row. Served versions and those of most clusters get one. */
const MOST_VERSIONS = 12;
const USUAL: ReadonlySet<ClusterState> = new Set(["Ready", "Processing", "Warning", "Error", "Deleting", "Unmanaged"]);

/** Counts clusters by version and state. */
export function matrixOf(rows: readonly ClusterRow[], served: readonly ServedQuestion[]): Matrix {
  const byVersion = new Map<string | undefined, StateCounts>();
  const all = new StateCounts();
  for (const { runs, state } of rows) {
    const counts = byVersion.get(runs) ?? new StateCounts();
    byVersion.set(runs, counts);
    counts.add(state);
    all.add(state);
  }
  const states = CLUSTER_STATES.filter((state) => USUAL.has(state) || all.of(state) > 0);
  const unknown = byVersion.get(undefined);
  byVersion.delete(undefined);
  const { own, others } = chosen(byVersion as ReadonlyMap<string, StateCounts>, served);
  const rowOf = (version: MatrixVersion, channels: readonly string[], counts: StateCounts): MatrixRow => ({
    ...{ version, channels, count: counts.total },
    counts: states.map((state) => counts.of(state)),
  });
  return {
    states,
    rows: [
      ...own.map(([version, counts]) => {
        const channels = served.filter((one) => one.version === version).map(({ channel }) => channel);
        return rowOf({ kind: "version", version }, channels, counts);
      }),
      ...(others.length === 0 ? [] : [rowOf({ kind: "others", versions: others.length }, [], StateCounts.sum(others))]),
      ...(unknown === undefined ? [] : [rowOf({ kind: "unknown" }, [], unknown)]),
    ],
    totals: states.map((state) => all.of(state)),
  };
}

/** The number of clusters in each state. */
class StateCounts {
  readonly #counts = new Map<ClusterState, number>();
  total = 0;

  static sum(parts: readonly StateCounts[]): StateCounts {
    const sum = new StateCounts();
    for (const part of parts) for (const [state, count] of part.#counts) sum.add(state, count);
    return sum;
  }

  add(state: ClusterState, count = 1): void {
    this.#counts.set(state, this.of(state) + count);
    this.total += count;
  }

  of(state: ClusterState): number {
    return this.#counts.get(state) ?? 0;
  }
}

/** The versions with a row, the highest first, and the counts of the others. */
function chosen(
  byVersion: ReadonlyMap<string, StateCounts>,
  served: readonly ServedQuestion[],
): { readonly own: readonly (readonly [string, StateCounts])[]; readonly others: readonly StateCounts[] } {
  const rankOf = (version: string): number => (served.some((one) => one.version === version) ? 0 : 1);
  const ranked = [...byVersion].toSorted(
    ([a, one], [b, other]) => rankOf(a) - rankOf(b) || other.total - one.total || descending(a, b),
  );
  return {
    own: ranked.slice(0, MOST_VERSIONS).toSorted(([a], [b]) => descending(a, b)),
    others: ranked.slice(MOST_VERSIONS).map(([, counts]) => counts),
  };
}

/** Sorts the highest version first, and invalid versions last, by their text. */
export function descending(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left !== undefined && right !== undefined) return compareVersions(right, left);
  return Number(left === undefined) - Number(right === undefined) || compareText(a, b);
}
