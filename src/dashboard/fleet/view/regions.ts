import { counted } from "../../../document/counted.ts";
import { numberText, percentText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import type { Tone } from "../../icons.ts";
import { section } from "../../parts.ts";
import { fleetAddress, type FleetPlace } from "../address.ts";
import { NONE } from "../filter.ts";
import type { Regions, RegionSquares, SquareKind } from "../regions.ts";
import { regionText } from "./words.ts";

const KINDS: Readonly<Record<SquareKind, readonly [tone: Tone, text: string]>> = {
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
        ${Object.entries(KINDS).map(
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
            class="${KINDS[kind][0]}"
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
