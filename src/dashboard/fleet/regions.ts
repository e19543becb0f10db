import { counted } from "../../document/counted.ts";
import { compareText } from "../../document/order.ts";
import { numberText, percentText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import type { Tone } from "../icons.ts";
import { section } from "../parts.ts";
import { fleetAddress, type FleetPlace } from "./filter.ts";
import type { ClusterRow, ClusterState } from "./clusters.ts";
import { NONE } from "./filter.ts";
import { regionText } from "./words.ts";

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
export function clusterRegions(rows: readonly ClusterRow[]): Regions {
  const tallies = [...tally(rows)].toSorted(
    ([a, one], [b, other]) => other.clusters - one.clusters || compareText(regionName(a), regionName(b)),
  );
  const shown = tallies.slice(0, MOST_REGIONS);
  const rest = tallies.slice(MOST_REGIONS);
  const drawn = (unit: number): readonly RegionSquares[] =>
    shown.map(([region, { kinds, ...counts }]) => ({ region, ...counts, squares: regionSquares(kinds, unit) }));
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

function regionName(region = ""): string {
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
function regionSquares(kinds: ReadonlyMap<SquareKind, number>, unit: number): RegionSquares["squares"] {
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

const SQUARE_LOOKS: Readonly<Record<SquareKind, readonly [tone: Tone, text: string]>> = {
  ok: ["tone-calm", "has the wanted version"],
  old: ["tone-calm", "Ready, but not with the wanted version"],
  off: ["tone-calm", "not reconciled, or state unknown"],
  processing: ["tone-move", "Processing, or changed less than 10 s ago"],
  warning: ["tone-wait", "Warning"],
  error: ["tone-stop", "Error"],
};

/** The regions, with their clusters as squares. */
export function regionsSection(place: FleetPlace, { unit, regions, rest }: Regions): Html {
  const size =
    unit === 1
      ? "one square is one cluster"
      : `one square is ${numberText(unit)} clusters; a state with fewer clusters also gets one`;
  const more =
    rest.regions === 0
      ? NOTHING
      : html`<p class="more-text wrapping-line small-text muted-text">
          and ${counted(rest.regions, "more region")} with ${numberText(rest.clusters)} clusters
        </p>`;
  return section(
    "by-region",
    html`By region <span>${size}. Per cent: on the wanted version</span>`,
    html`${SQUARES}
      <div class="region-list wrapping-line">${regions.map((region) => regionLink(place, region))}</div>
      ${more}
      <p class="sign-key wrapping-line small-text muted-text">
        ${Object.entries(SQUARE_LOOKS).map(
          ([kind, [tone, text]]) =>
            html`<span class="icon-line"
              ><svg class="square-sign ${tone}" aria-hidden="true"><use href="#s-${kind}" /></svg>${text}</span
            >`,
        )}
      </p>`,
  );
}

function regionLink(place: FleetPlace, { region, clusters, have, squares }: RegionSquares): Html {
  const kinds = squares.flatMap(({ kind, count }) => Array.from({ length: count }, () => kind));
  const rows = Math.max(LEAST_ROWS, Math.ceil(kinds.length / MOST_COLUMNS));
  const width = Math.ceil(kinds.length / rows) * STEP - GAP;
  return html`<a href="${fleetAddress(place, { region: region ?? NONE })}"
    ><span class="region-facts small-text muted-text"
      ><b>${regionText(region)}</b><span>${numberText(clusters)}<span class="visually-hidden"> clusters, </span></span
      ><span>${percentText(have / clusters)}<span class="visually-hidden"> on the wanted version</span></span></span
    ><svg width="${width}" height="${rows * STEP - GAP}" aria-hidden="true">
      ${kinds.map(
        (kind, index) =>
          html`<use
            href="#s-${kind}"
            class="${SQUARE_LOOKS[kind][0]}"
            x="${Math.floor(index / rows) * STEP}"
            y="${(index % rows) * STEP}"
          />`,
      )}
    </svg></a
  >`;
}

/** The size of a square with its gap, and of the gap. Pixels. */
const STEP = 11;
const GAP = 2;
const LEAST_ROWS = 5;
/** The number that fits on a phone. */
const MOST_COLUMNS = 28;

const SQUARES = html`<svg class="visually-hidden" aria-hidden="true">
  <symbol id="s-ok" viewBox="0 0 9 9" width="9" height="9">
    <rect width="9" height="9" rx="1" fill="currentColor" opacity=".55" />
  </symbol>
  <symbol id="s-old" viewBox="0 0 9 9" width="9" height="9">
    <rect x=".75" y=".75" width="7.5" height="7.5" rx="1" fill="none" stroke="currentColor" stroke-width="1.5" />
  </symbol>
  <symbol id="s-processing" viewBox="0 0 9 9" width="9" height="9">
    <path d="M1 0l8 4.5L1 9z" fill="currentColor" />
  </symbol>
  <symbol id="s-warning" viewBox="0 0 9 9" width="9" height="9">
    <path d="M4.5 1 8.2 8.2H.8z" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" />
  </symbol>
  <symbol id="s-error" viewBox="0 0 9 9" width="9" height="9">
    <rect width="9" height="9" rx="1" fill="currentColor" />
    <path d="m2.4 2.4 4.2 4.2m0-4.2L2.4 6.6" stroke="var(--background)" stroke-width="1.5" />
  </symbol>
  <symbol id="s-off" viewBox="0 0 9 9" width="9" height="9">
    <circle cx="4.5" cy="4.5" r="3.6" fill="none" stroke="currentColor" stroke-width="1.4" stroke-dasharray="2 1.4" />
  </symbol>
</svg>`;
