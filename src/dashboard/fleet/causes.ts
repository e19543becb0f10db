import { counted } from "../../document/counted.ts";
import { compareText } from "../../document/order.ts";
import { age, numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { signIcon } from "../icons.ts";
import { dataTable, section, shareBar } from "../parts.ts";
import { fleetAddress, type FleetPlace } from "./filter.ts";
import type { ClusterRow, Lacking } from "./clusters.ts";
import { causeKey } from "./filter.ts";
import { capitalised, lackingSign, lackingText } from "./words.ts";

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
export function clusterCauses(rows: readonly ClusterRow[]): Causes {
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
    causes: sorted.slice(0, MOST_CAUSES).map(tallyCause),
    rest: { causes: rest.length, clusters: rest.reduce((sum, { count }) => sum + count, 0) },
  };
}

interface Tally extends Lacked {
  count: number;
  oldestMs: number;
  readonly regions: Map<string | undefined, number>;
}

function tallyCause({ oldestMs, regions, ...cause }: Tally): Cause {
  const [region, count] = [...regions].reduce((most, one) => (one[1] > most[1] ? one : most));
  const isMost = region !== undefined && regions.size > 1 && count > cause.count / 2;
  return {
    ...cause,
    oldestMs: oldestMs === Infinity ? undefined : oldestMs,
    mostly: isMost ? { region, count } : undefined,
  };
}

/** Why clusters do not have the wanted version, with one row for equal messages. */
export function causesSection(place: FleetPlace, { clusters, causes, rest }: Causes, nowMs: number): Html {
  if (clusters === 0) return NOTHING;
  const count = counted(causes.length + rest.causes, "cause");
  const more =
    rest.causes === 0
      ? NOTHING
      : html`<p class="more-text wrapping-line small-text muted-text">
          and ${counted(rest.causes, "more cause")} on ${numberText(rest.clusters)} clusters
        </p>`;
  const share = html`<span class="visually-hidden">Share of ${numberText(clusters)}</span>`;
  const headings = ["Cause", ["Clusters", "number-cell"], share, ["Oldest", "number-cell"]] as const;
  return section(
    "why",
    html`Why not yet <span>${numberText(clusters)} clusters, ${count}; equal messages are grouped</span>`,
    html`${dataTable(
      headings,
      causes.map((cause) => causeRow(place, cause, clusters, nowMs)),
      "stacking-table",
    )}
    ${more}`,
  );
}

function causeRow(place: FleetPlace, cause: Cause, clusters: number, nowMs: number): Html {
  const { key, lacking, count, oldestMs, mostly } = cause;
  const note =
    mostly === undefined ? NOTES.get(lacking.why) : `${numberText(mostly.count)} of them in ${mostly.region}`;
  return html`<tr role="row">
    <td class="cause-cell" role="cell">
      <div>
        ${signIcon(lackingSign(lacking))}
        <span>
          <a href="${fleetAddress(place, { cause: key })}">${capitalised(lackingText(lacking))}</a>
          ${note === undefined ? NOTHING : html`<small>${note}</small>`}
        </span>
      </div>
    </td>
    <td class="number-cell" role="cell"><b>${numberText(count)}</b></td>
    <td class="share-cell" role="cell">${shareBar(count / clusters, lackingSign(lacking).tone)}</td>
    <td class="number-cell unbroken-text muted-text oldest-cell" role="cell">
      ${oldestMs === undefined ? "not known" : age(oldestMs, nowMs)}
    </td>
  </tr>`;
}

const NOTES: ReadonlyMap<Cause["lacking"]["why"], string> = new Map([
  ["maintenance", "This is not a failure."],
  ["unmanaged", "Its version is not known, and never counts as served."],
  ["downgrade", "It ends when its channel serves that version or a higher one."],
  ["skipped", "operator.kyma-project.io/skip-reconciliation"],
]);
