import type { ModuleVersion } from "../../../catalogue/version.ts";
import { instant } from "../../format.ts";
import { html, outwardLink, type Html } from "../../html.ts";
import type { Sign } from "../../icons.ts";
import { recordList, section, type RecordEntry } from "../../parts.ts";
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
  return section(
    `evidence-${version}`,
    title,
    recordList(
      rows.map((row) => evidenceEntry(row, nowMs)),
      "None.",
    ),
  );
}

function evidenceEntry(row: EvidenceRow, nowMs: number): RecordEntry {
  const { one, atMs, says, whyNot } = row;
  const counting = whyNot === undefined ? "counts" : `does not count: ${whyNot}`;
  const where = one.landscape === undefined ? "" : `, observed on ${one.landscape}`;
  return {
    sign: evidenceSign(row),
    content: html`<b>${one.kind}</b>: ${says}`,
    time: instant(atMs, nowMs),
    detail: html`${counting}; from ${outwardLink(one.source, one.source)}${where}`,
  };
}

function evidenceSign({ counts, speaks }: EvidenceRow): Sign {
  if (!counts || speaks === undefined) return { icon: "none", tone: "tone-calm" };
  return speaks === "against" ? { icon: "block", tone: "tone-stop" } : { icon: "ok", tone: "tone-calm" };
}
