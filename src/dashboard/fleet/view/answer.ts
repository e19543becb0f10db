import { counted } from "../../../document/counted.ts";
import { numberText, percentText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { pageAnswer } from "../../parts.ts";
import { wholeFleet, type FleetPlace } from "../address.ts";
import { isNarrow } from "../filter.ts";
import type { FleetAnswer, FleetView } from "../fleet.ts";

/** The first sentence of the page: how many clusters have the served version, and whether a filter applies. */
export function answerText(place: FleetPlace, view: FleetView): Html {
  const { module, left, total, answers } = view;
  if (total === 0)
    return pageAnswer(html`No cluster of ${place.landscape} has ${module === "" ? "a module" : module}.`);
  const clear = html`<a href="${wholeFleet(place)}">clear the filter</a>`;
  if (left === 0) return pageAnswer(html`No cluster matches. ${numberText(total)} without the filter: ${clear}.`);
  const [first, ...others] = answers.filter(({ clusters }) => clusters > 0);
  const isWhole = !isNarrow(place.filter) && place.filter.channel === undefined;
  const which = isWhole ? NOTHING : html`Filtered to ${numberText(left)} of ${clustersText(total)}: `;
  const answer =
    first === undefined
      ? html`${clustersText(left)} use <b>${module}</b>, but no channel serves it to them.`
      : sentence(first, module);
  const more = html`${first === undefined ? NOTHING : missingSentence(first)}
  ${others.map((one) => html`<span class="muted-text">${sentence(one, module)}</span>`)}
  ${isWhole ? NOTHING : html`<span>${clear}</span>`}`;
  return pageAnswer(html`${which} ${answer}`, more);
}

function sentence({ version, have, clusters, channel }: FleetAnswer, module: string): Html {
  const share = percentText(have / clusters);
  return html`<b>${module} ${version}</b> is on
    <b>${numberText(have)} of ${numberText(clusters)}</b> ${clusters === 1 ? "cluster" : "clusters"} of ${channel},
    ${share}.`;
}

function missingSentence({ clusters, have, failing }: FleetAnswer): Html {
  const missing = clusters - have;
  if (missing === 0) return NOTHING;
  const failed =
    failing === 0
      ? "none of them fails with it"
      : `${numberText(failing)} of them because of an Error or a Warning with it`;
  return html`<span class="muted-text"
    >${numberText(missing)} ${missing === 1 ? "is" : "are"} not on it; ${failed}.</span
  >`;
}

function clustersText(count: number): string {
  return counted(count, "cluster").replace(String(count), numberText(count));
}
