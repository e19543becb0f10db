import type { Impact } from "../../../kubernetes/crd/compare.ts";
import { numberText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { icon, type IconName } from "../../icons.ts";
import { scroller, section } from "../../parts.ts";
import { IMPACTS, type DefinitionChange, type VersionDefinitions } from "../definitions.ts";

/** The maximum number of changes of a version on the page; others are counted. */
const SHOWN = 20;

/** The changes of CustomResourceDefinitions by version. */
export function definitionsSection(versions: readonly VersionDefinitions[]): Html {
  if (versions.every(({ changes }) => changes === undefined)) return NOTHING;
  const table = html`<table class="tb wide">
    <thead>
      <tr>
        <th scope="col">Version</th>
        <th scope="col">Impact</th>
        <th scope="col">CustomResourceDefinition</th>
        <th scope="col">What changes</th>
        <th scope="col">What to do</th>
      </tr>
    </thead>
    <tbody>
      ${versions.map(versionRows)}
    </tbody>
  </table>`;
  const note = html`<p class="note">
    From a comparison of the schemas with the next lower version. <code>check</code> also tests possible breaks on a
    real API server.
  </p>`;
  return section("definitions", "Changes of CustomResourceDefinitions", html`${scroller("Changes", table)} ${note}`);
}

function versionRows({ version, before, changes }: VersionDefinitions): Html {
  const name = html`<th scope="row">${version} <span class="muted">after ${before}</span></th>`;
  const saying = (text: string): Html =>
    html`<tr>
      ${name}
      <td colspan="4" class="muted">${text}</td>
    </tr>`;
  if (changes === undefined)
    return saying("not known: one of the two manifests is missing in the repository, or cannot be read");
  if (changes.length === 0) return saying("none");
  const more = changes.slice(SHOWN);
  return html`${changes.slice(0, SHOWN).map((change) => changeRow(name, change))}
  ${more.length === 0 ? NOTHING : saying(`and ${countsOf(more)}`)}`;
}

function changeRow(name: Html, { definition, place, impact, message, remedy }: DefinitionChange): Html {
  const [style, picture] = SIGNS[impact];
  return html`<tr>
    ${name}
    <td><span class="${style}">${icon(picture)} ${impact}</span></td>
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

const SIGNS: Readonly<Record<Impact, readonly [style: string, picture: IconName]>> = {
  breaking: ["c-stop", "block"],
  risky: ["c-wait", "warn"],
  safe: ["c-ok", "none"],
};
