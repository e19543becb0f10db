import { instantText } from "../../document/times.ts";
import { readyText, reasonText } from "../../fleet/words.ts";
import { escapeMarkup, tableMarkup } from "../../promote/simulate/markup.ts";
import type { CountedVersion, LandscapeRollout, VersionRollout } from "../../sync/landscapeRollout.ts";
import { countsText, namesText, NOTE, servedText, type RolloutFacts } from "./report.ts";

/** The report as a self-contained HTML page without scripts, to attach to an incident. All text in it is escaped. */
export function rolloutCard(rollouts: readonly LandscapeRollout[], facts: RolloutFacts): string {
  const title = `Roll-out of ${facts.module}`;
  const { revision = "no commit", decidedAt } = facts;
  return [
    "<!DOCTYPE html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${escapeMarkup(title)}</title><style>${STYLE}</style></head><body><main>`,
    `<h1>${escapeMarkup(title)}</h1>`,
    `<p>As seen at ${instantText(decidedAt)}, with the landscapes of ${escapeMarkup(revision)}.</p>`,
    ...rollouts.map((rollout) => landscapeMarkup(rollout, facts)),
    `<p>${escapeMarkup(NOTE)}</p>`,
    "</main></body></html>",
  ].join("\n");
}

function landscapeMarkup({ landscape, versions, unknown }: LandscapeRollout, facts: RolloutFacts): string {
  const nothing = versions.length === 0 && unknown === undefined ? [`No channel serves ${facts.module}.`] : [];
  const notes = unknown === undefined ? nothing : [`Not known: ${unknown}`];
  return [
    `<section><h2>${escapeMarkup(landscape)}</h2>`,
    ...notes.map((note) => `<p class="bad">${escapeMarkup(note)}</p>`),
    ...versions.map((version) => versionMarkup(version, facts)),
    "</section>",
  ].join("\n");
}

function versionMarkup(version: VersionRollout, facts: RolloutFacts): string {
  const { channel = "no channel", counts, replaced } = version;
  const row = (one: CountedVersion): readonly string[] => [
    one.version,
    servedText(one, facts),
    countsText(one.counts),
    one.ready === undefined ? "not known" : readyText(one.ready),
  ];
  const rows = [row(version), ...(replaced === undefined ? [] : [row(replaced)])];
  const missing = (counts?.missing ?? []).map((group) => [
    String(group.count),
    reasonText(group),
    namesText(group, facts),
  ]);
  return [
    tableMarkup(`${channel}: ${version.version}, and what it replaced`, HEADER, rows),
    missing.length === 0 ? "" : tableMarkup(`Clusters without ${version.version}`, MISSING, missing),
  ].join("\n");
}

const HEADER = ["Version", "Served", "Clusters", "Apply to Ready"];
const MISSING = ["Clusters", "Why", "First of them"];

const STYLE = `
:root { font: 1rem/1.5 system-ui, sans-serif; color: CanvasText; background: Canvas; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: bold; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid GrayText; overflow-wrap: anywhere; }
.bad { font-weight: bold; }
`;
