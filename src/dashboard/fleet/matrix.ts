import { compareVersions, parseVersion } from "../../catalogue/version.ts";
import { counted } from "../../document/counted.ts";
import { compareText } from "../../document/order.ts";
import { numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { section } from "../parts.ts";
import { fleetAddress, type FleetPlace } from "./filter.ts";
import { CLUSTER_STATES, type ClusterRow, type ClusterState, type ServedQuestion } from "./clusters.ts";
import { NONE } from "./filter.ts";
import { stateIcon, stateSign } from "./words.ts";

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
export function clusterMatrix(rows: readonly ClusterRow[], served: readonly ServedQuestion[]): Matrix {
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

/** Versions and states as a heat map with numbers. */
export function matrixSection(place: FleetPlace, { states, rows, totals }: Matrix): Html {
  const all = totals.reduce((sum, count) => sum + count, 0);
  return section(
    "by-version",
    html`By version and state <span>shades: up to 19, 199, 1 999, and more</span>`,
    html`<table class="heat-map">
        <colgroup>
          <col class="version-column" />
          ${states.map(() => html`<col />`)}
          <col class="total-column" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Version</th>
            ${states.map((state) => html`<th scope="col">${stateIcon(state)}<span class="state-name">${state}</span></th>`)}
            <th scope="col" class="total-cell">All</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => versionRow(place, row, states))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            ${totals.map((count) => html`<td><span>${numberText(count)}</span></td>`)}
            <td class="total-cell"><span>${numberText(all)}</span></td>
          </tr>
        </tfoot>
      </table>
      <p class="sign-key narrow-key wrapping-line small-text muted-text" aria-hidden="true">
        ${states.map((state) => html`<span class="icon-line">${stateIcon(state)} ${state}</span>`)}
      </p>`,
  );
}

function versionRow(place: FleetPlace, row: MatrixRow, states: readonly ClusterState[]): Html {
  const { version, channels, count, counts } = row;
  const [name, asked] = matrixVersionName(version);
  const note = channels.length === 0 ? NOTHING : html`<small>${channels.join(", ")}</small>`;
  const cells = counts.flatMap((clusters, index) =>
    states.slice(index, index + 1).map((state) => cell(place, { clusters, name, asked, state })),
  );
  const total = html`<span>${numberText(count)}</span>`;
  return html`<tr>
    <th scope="row">${name}${note}</th>
    ${cells}
    <td class="total-cell">
      ${
        asked === undefined
          ? total
          : html`<a href="${fleetAddress(place, { version: asked })}" aria-label="${numberText(count)} on ${name}"
              >${numberText(count)}</a
            >`
      }
    </td>
  </tr>`;
}

/** The name of a row, and its version in an address; `undefined` if it has none. */
function matrixVersionName(version: MatrixVersion): readonly [name: string, asked: string | undefined] {
  switch (version.kind) {
    case "version":
      return [version.version, version.version];
    case "unknown":
      return ["not known", NONE];
    case "others":
      return [counted(version.versions, "other"), undefined];
  }
}

interface MatrixCell {
  readonly clusters: number;
  readonly name: string;
  readonly asked: string | undefined;
  readonly state: ClusterState;
}

function cell(place: FleetPlace, { clusters, name, asked, state }: MatrixCell): Html {
  if (clusters === 0)
    return html`<td>
      <span><span class="visually-hidden">none</span></span>
    </td>`;
  const text = numberText(clusters);
  const content =
    asked === undefined
      ? html`<span>${text}</span>`
      : html`<a href="${fleetAddress(place, { version: asked, state })}" aria-label="${text} ${state} on ${name}"
          >${text}</a
        >`;
  const shade = [20, 200, 2000].filter((limit) => clusters >= limit).length + 1;
  return html`<td class="heat-shade-${shade} ${stateSign(state).tone}">${content}</td>`;
}
