import { numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import type { LandscapeSight } from "../state.ts";
import type { FleetPlace } from "./filter.ts";
import { lackingText, regionText, versionText } from "./words.ts";
import type { FleetView } from "./filteredFleet.ts";
import { causeKey, type FleetFilter } from "./filter.ts";

/** The form with the filters of a fleet. It is a plain GET form: each view has an address. */
export function filterForm(place: FleetPlace, view: FleetView, landscapes: readonly LandscapeSight[]): Html {
  const { landscape, module, filter } = place;
  const { choices, causes } = view;
  const offered = causes.causes.map(({ key }) => key);
  const causeNames = new Map(causes.causes.map(({ lacking }) => [causeKey(lacking), lackingText(lacking)]));
  const same = (value: string): string => value;
  return html`<form class="fleet-filters scripts-only" action="/fleet" aria-label="Filter clusters">
    ${landscapeLinks(landscape, module, landscapes)}
    <input type="hidden" name="landscape" value="${landscape}" />
    <label
      >Module<select name="module">
        ${options(withChosen(choices.modules, module), module, same)}
      </select></label
    >
    ${choice("Channel", "channel", choices.channels, filter.channel, same)}
    ${choice("Version", "version", choices.versions, filter.version, versionText)}
    ${choice("State", "state", choices.states, filter.state, same)}
    ${choice("Region", "region", choices.regions, filter.region, regionText)}
    ${choice("Cause", "cause", offered, filter.cause, (key) => causeNames.get(key) ?? key)}
    <label class="name-filter"
      >Cluster<input type="search" name="q" placeholder="Part of a name" value="${filter.text ?? ""}"
    /></label>
    <button type="submit">Filter</button>
  </form>`;
}

/** Links to the landscapes, with the number of Kymas in each. */
export function landscapeLinks(chosen: string, module: string, landscapes: readonly LandscapeSight[]): Html {
  const links = landscapes.map(({ name, input }) => {
    const query = new URLSearchParams(module === "" ? { landscape: name } : { landscape: name, module });
    const count = input?.users.kind === "known" ? numberText(input.users.kymas.size) : "?";
    const mark = name === chosen ? html`aria-current="true"` : NOTHING;
    return html`<a href="/fleet?${query.toString()}" ${mark}>${name} ${count}</a>`;
  });
  return html`<fieldset>
    <legend>Landscape</legend>
    <span class="segment-links">${links}</span>
  </fieldset>`;
}

/** The maximum length of an option. A cause may have 300 characters. */
const MOST_CHARACTERS = 60;

function choice(
  label: string,
  name: keyof FleetFilter,
  values: readonly string[],
  chosen: string | undefined,
  textOfValue: (value: string) => string,
): Html {
  return html`<label
    >${label}<select name="${name}">
      <option value="">every ${label.toLowerCase()}</option>
      ${options(chosen === undefined ? values : withChosen(values, chosen), chosen, textOfValue)}
    </select></label
  >`;
}

/** Adds the chosen value if it does not occur: an address may name any value. */
function withChosen(values: readonly string[], chosen: string): readonly string[] {
  return values.includes(chosen) ? values : [chosen, ...values];
}

function options(values: readonly string[], chosen: string | undefined, textOfValue: (value: string) => string): Html {
  const shown = values.map((value) => {
    const text = textOfValue(value);
    const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
    return html`<option value="${value}" ${value === chosen ? html`selected` : NOTHING}>${short}</option>`;
  });
  return html`${shown}`;
}
