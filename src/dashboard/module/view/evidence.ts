import type { ModuleVersion } from "../../../catalogue/version.ts";
import { instant } from "../../format.ts";
import { html, outwardLink, type Html } from "../../html.ts";
import { icon, type IconName } from "../../icons.ts";
import { section } from "../../parts.ts";
import type { EvidenceRow } from "../evidence.ts";

/** The observations of one version, and whether they count. */
export function evidenceSection(
  version: ModuleVersion,
  specHash: string | undefined,
  rows: readonly EvidenceRow[],
  nowMs: number,
): Html {
  const content = specHash === undefined ? "no channel has it" : `only for this content, ${specHash.slice(0, 15)}`;
  const title = html`Evidence of ${version} <span>${content}</span>`;
  if (rows.length === 0) return section(`evidence-${version}`, title, html`<p class="muted">None.</p>`);
  const items = rows.map((row) => evidenceItem(row, nowMs));
  return section(
    `evidence-${version}`,
    title,
    html`<div class="box">
      <ul class="kv">
        ${items}
      </ul>
    </div>`,
  );
}

function evidenceItem(row: EvidenceRow, nowMs: number): Html {
  const { one, atMs, says, whyNot } = row;
  const [style, picture] = signOf(row);
  const counting = whyNot === undefined ? "counts" : `does not count: ${whyNot}`;
  return html`<li>
    <span class="${style}">${icon(picture)}</span>
    <span><b>${one.kind}</b>: ${says}</span>
    <span class="r">${instant(atMs, nowMs)}</span>
    <span class="d"
      >${counting}; from
      ${outwardLink(one.source, one.source)}${one.landscape === undefined ? "" : `, observed on ${one.landscape}`}</span
    >
  </li>`;
}

function signOf({ counts, speaks }: EvidenceRow): readonly [style: string, picture: IconName] {
  if (!counts || speaks === undefined) return ["c-ok", "none"];
  return speaks === "against" ? ["c-stop", "block"] : ["c-ok", "ok"];
}
