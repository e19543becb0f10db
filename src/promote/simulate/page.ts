import { durationText, instantText } from "../../document/times.ts";
import type { Shape } from "../picture/drawing.ts";
import { LEGEND } from "../picture/marks.ts";
import { drawPicture, type PictureMark } from "../picture/picture.ts";
import { accountOf, type SimulationReport } from "./account.ts";
import { explainChange } from "./explain.ts";
import { drawingMarkup, escapeMarkup, scrollMarkup, tableMarkup } from "./markup.ts";
import type { Gap } from "./replayInput.ts";
import { type AccountSection, stepText } from "./sections.ts";
import type { ModuleReplay, Simulation } from "./simulation.ts";

/** A self-contained page, without scripts or external resources. Everything in it is escaped. */
export function simulationPage(report: SimulationReport): string {
  const { simulation, input } = report;
  const { title, facts, tables, sections } = accountOf(report);
  return [
    "<!DOCTYPE html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${escapeMarkup(title)}</title><style>${STYLE}</style></head><body>`,
    `<header><h1>${escapeMarkup(title)}</h1>`,
    `<dl>${facts.map(({ name, text }) => `<div class="${name}"><dt>${name}</dt><dd>${escapeMarkup(text)}</dd></div>`).join("\n")}</dl>`,
    "</header><main>",
    `<section><h2>Totals</h2>${tables.map((table) => tableMarkup(table.title, table.header, table.rows)).join("\n")}</section>`,
    `<section><h2>Differences between history and policy</h2>${sectionsMarkup(sections)}</section>`,
    `<section><h2>Modules</h2>${legendMarkup(input.gaps)}`,
    ...simulation.replays.map((replay, place) => moduleMarkup(replay, simulation, input.gaps, `m${String(place)}`)),
    "</section></main></body></html>",
    "",
  ].join("\n");
}

function sectionsMarkup(sections: readonly AccountSection[]): string {
  if (sections.length === 0) return "<p>None.</p>";
  return sections
    .map(({ title, entries }) => {
      const rows = entries.map(({ atMs, subject, step, text }) => [instantText(atMs), subject, step, text]);
      const summary = `<summary>${escapeMarkup(title)} (${String(entries.length)})</summary>`;
      return `<details>${summary}${tableMarkup(title, ["When", "What", "Step", "Why"], rows)}</details>`;
    })
    .join("\n");
}

function legendMarkup(gaps: readonly Gap[]): string {
  const box = (style: string): string => `<g class="${style}"><rect x="1" y="2" width="14" height="12"/></g>`;
  const all: readonly (readonly [shape: string, meaning: string])[] = [
    [box("followed even"), "what the followed channel served"],
    [box("real even"), "what the channel really served"],
    [box("policy even"), "what it would have served by the policy"],
    ...LEGEND.map(([shape, meaning]) => [drawingMarkup(shape), meaning] as const),
    ...(gaps.length === 0 ? [] : [['<rect class="gap" x="1" y="1" width="14" height="14"/>', "not observed"] as const]),
  ];
  const items = all.map(([shape, meaning]) => {
    return `<li><svg class="sign" viewBox="0 0 16 16" aria-hidden="true">${shape}</svg> ${meaning}</li>`;
  });
  return `<ul class="legend">${items.join("")}</ul>`;
}

function moduleMarkup(replay: ModuleReplay, simulation: Simulation, gaps: readonly Gap[], id: string): string {
  const name = `${replay.channel} / ${replay.module}`;
  const happened = replay.changes.map((change) => ({
    atMs: change.revision.atMs,
    row: ["really", stepText(change.from, change.to), explainChange(change, replay)],
  }));
  const made = replay.promotions.map(({ atMs, from, to, level, leadMs, reallyAtMs }) => {
    const how = `A promotion of level ${level}, ${durationText(leadMs)} after the followed channel.`;
    const really = reallyAtMs === undefined ? "It never happened." : `It happened at ${instantText(reallyAtMs)}.`;
    return { atMs, row: ["by policy", stepText(from, to), `${how} ${really}`] };
  });
  const kept = replay.passedOver.map(({ version, kind, reasons }) => `${version}, ${kind}: ${reasons.join(" ")}`);
  const rows = [...happened, ...made]
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, row }) => [instantText(atMs), ...row]);
  const never =
    kept.length === 0
      ? ""
      : `<p>Not promoted by the policy:</p><ul>${kept.map((text) => `<li>${escapeMarkup(text)}</li>`).join("")}</ul>`;
  return [
    `<article><h3>${escapeMarkup(name)}</h3>`,
    scrollMarkup(`timeline of ${name}`, drawingMarkup(drawTimeline(replay, simulation, gaps, id))),
    `<details><summary>Every change</summary>${tableMarkup(name, ["When", "Which", "Step", "What"], rows)}${never}</details></article>`,
  ].join("\n");
}

/** The style sheet, for light and dark screens and for print. Modules are laid out only when they scroll into view. */
const STYLE = `
:root { color-scheme: light dark; --text: #1c2733; --quiet: #5a6875; --ground: #fff; --line: #c9d2da;
  --followed: #9fc5f0; --followed-odd: #c8def7; --real: #a9d8b0; --real-odd: #d2ecd6; --policy: #e6c889; --policy-odd: #f4e3bf;
  --mark: #b3261e; --gap: #8a97a333; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4eaf0; --quiet: #9fadba; --ground: #12181e; --line: #3a4753;
    --followed: #2c5a8c; --followed-odd: #1f3f63; --real: #2f6b3b; --real-odd: #214b2a; --policy: #7a5c1d; --policy-odd: #564114;
    --mark: #ff8a80; --gap: #b8c4d033; }
}
body { margin: 1.5rem auto; max-width: 80rem; padding: 0 1rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h3 { margin-bottom: .25rem; }
dl > div { display: flex; gap: .75rem; margin: .2rem 0; padding-left: .75rem; border-left: 4px solid transparent; }
dl > .assumed { border-color: var(--mark); } dt { min-width: 5rem; color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .9rem; }
caption { text-align: left; color: var(--quiet); padding: .25rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
summary { cursor: pointer; padding: .25rem 0; }
article { content-visibility: auto; contain-intrinsic-size: auto 220px; }
.scroll { overflow-x: auto; } .scroll > svg { min-width: 50rem; width: 100%; display: block; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; }
.sign { width: 1em; height: 1em; vertical-align: -.1em; }
svg text { font-size: 11px; fill: var(--text); } svg text.row { text-anchor: end; font-size: 12px; }
svg text.tick { text-anchor: middle; fill: var(--quiet); } line.tick { stroke: var(--line); stroke-dasharray: 2 3; }
rect { stroke: var(--ground); stroke-width: .5; } .gap { fill: var(--gap); }
.followed.even rect { fill: var(--followed); } .followed.odd rect { fill: var(--followed-odd); }
.real.even rect { fill: var(--real); } .real.odd rect { fill: var(--real-odd); }
.policy.even rect { fill: var(--policy); } .policy.odd rect { fill: var(--policy-odd); }
.mark { fill: var(--mark); stroke: var(--ground); } .mark:is(.unknown, .withdrawal, .removal) { fill: none; stroke: var(--mark); stroke-width: 2; }
`;

/**
 * The timeline of one module: the followed channel on top, then what the following channel served, and would have
 * served.
 */
function drawTimeline(
  replay: ModuleReplay,
  { fromMs, untilMs }: Pick<Simulation, "fromMs" | "untilMs">,
  gaps: readonly Gap[],
  id: string,
): Shape {
  const { spans, follows, channel, changes, module } = replay;
  return drawPicture({
    ...{ id, fromMs, untilMs, gaps },
    title: `${channel} / ${module}`,
    description: `${follows} above, ${channel} below: ${String(changes.length)} changes happened, the policy would have made ${String(replay.promotions.length)} promotions. The table below lists them.`,
    rows: [
      { label: follows, style: "followed", spans: spans.followed },
      { label: `${channel}, really`, style: "real", spans: spans.real },
      { label: `${channel}, by policy`, style: "policy", spans: spans.policy },
    ],
    marks: changes.flatMap(({ how: { kind }, revision, from, to }): readonly PictureMark[] => {
      // The usual steps need no sign.
      if (kind === "first" || kind === "promotion") return [];
      const title = `${kind}: ${from ?? "nothing"} to ${to ?? "nothing"}, ${instantText(revision.atMs)}`;
      return [{ row: 1, kind, atMs: revision.atMs, title }];
    }),
  });
}
