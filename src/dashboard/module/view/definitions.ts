import type { Impact } from "../../../kubernetes/crd/compare.ts";
import { numberText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { signIcon, type Sign } from "../../icons.ts";
import { dataTable, section, sideScroller } from "../../parts.ts";
import { IMPACTS, type DefinitionChange, type VersionDefinitions } from "../definitions.ts";

/** The maximum number of changes of a version on the page; others are counted. */
const SHOWN = 20;

/** The changes of CustomResourceDefinitions by version. */
export function definitionsSection(versions: readonly VersionDefinitions[]): Html {
  if (versions.every(({ changes }) => changes === undefined)) return NOTHING;
  const headings = ["Version", "Impact", "CustomResourceDefinition", "What changes", "What to do"];
  const table = dataTable(headings, versions.map(versionRows), "wide-table");
  const note = html`<p class="side-note small-text muted-text">
    From a comparison of the schemas with the next lower version. <code>check</code> also tests possible breaks on a
    real API server.
  </p>`;
  return section(
    "definitions",
    "Changes of CustomResourceDefinitions",
    html`${sideScroller("Changes", table)} ${note}`,
  );
}

function versionRows({ version, before, changes }: VersionDefinitions): Html {
  const name = html`<th scope="row">${version} <span class="muted-text">after ${before}</span></th>`;
  const saying = (text: string): Html =>
    html`<tr>
      ${name}
      <td colspan="4" class="muted-text">${text}</td>
    </tr>`;
  if (changes === undefined)
    return saying("not known: one of the two manifests is missing in the repository, or cannot be read");
  if (changes.length === 0) return saying("none");
  const more = changes.slice(SHOWN);
  return html`${changes.slice(0, SHOWN).map((change) => changeRow(name, change))}
  ${more.length === 0 ? NOTHING : saying(`and ${countsOf(more)}`)}`;
}

function changeRow(name: Html, { definition, place, impact, message, remedy }: DefinitionChange): Html {
  return html`<tr>
    ${name}
    <td>${signIcon(SIGNS[impact], ` ${impact}`)}</td>
    <td>${definition} ${place === "" ? NOTHING : html`<code>${place}</code>`}</td>
    <td>${message}</td>
    <td>${impact === "safe" ? "–" : remedy}</td>
  </tr>`;
}

/** Such as `2 breaking, 3 safe`. */
function countsOf(changes: readonly DefinitionChange[]): string {
  const counts = IMPACTS.map((impact) => [impact, changes.filter((one) => one.impact === impact).length] as const);
  return counts.flatMap(([impact, count]) => (count === 0 ? [] : [`${numberText(count)} ${impact}`])).join(", ");
}

const SIGNS: Readonly<Record<Impact, Sign>> = {
  breaking: { icon: "block", tone: "tone-stop" },
  risky: { icon: "warn", tone: "tone-wait" },
  safe: { icon: "none", tone: "tone-calm" },
};
