import { durationText, instantText } from "../verdict/text.ts";
import { deviationsOf, type ReplayedChange } from "./deviations.ts";
import { explainChange, leadText } from "./explain.ts";
import { escapeMarkup, scrollMarkup, tableMarkup } from "./markup.ts";
import { LEGEND, timelineMarkup } from "./pageTimeline.ts";
import { STYLE } from "./pageStyle.ts";
import type { ModuleReplay, Simulation } from "./simulation.ts";
import type { Gap, Timeline } from "./timeline.ts";

/** What the page shows. */
export interface PageContent {
  readonly simulation: Simulation;
  readonly timeline: Timeline;
  /** The files with the policies that were tried. */
  readonly policies: readonly string[];
}

/** A page of its own: nothing is fetched, and nothing runs. Everything in it is escaped. */
export function simulationPage({ simulation, timeline, policies }: PageContent): string {
  const { fromMs, untilMs, assumptions, replays } = simulation;
  const title = `${timeline.source} under ${policies.join(", ")}`;
  return [
    "<!DOCTYPE html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${escapeMarkup(title)}</title><style>${STYLE}</style></head><body>`,
    `<header><h1>${escapeMarkup(title)}</h1>`,
    `<p>${instantText(fromMs)} to ${instantText(untilMs)}.</p>`,
    ...assumptions.map((sentence) => `<p class="assumption"><strong>Assumed:</strong> ${escapeMarkup(sentence)}</p>`),
    "</header><main>",
    totalsMarkup(simulation),
    deviationsMarkup(simulation, timeline.gaps),
    `<section><h2>Modules</h2>${legendMarkup(timeline.gaps)}`,
    ...replays.map((replay, place) => moduleMarkup(replay, simulation, timeline.gaps, `m${String(place)}`)),
    "</section></main></body></html>",
    "",
  ].join("\n");
}

function totalsMarkup({ totals }: Simulation): string {
  const header = ["Level", "Really", "Lead time: median (quartiles)", "By policy", "Lead time: median (quartiles)"];
  const more = [
    "Sooner than the policy",
    "Never by the policy",
    "Blocked",
    "Not promoted, really",
    "Not promoted, by policy",
  ];
  const rows = totals.map(({ level, real, policy, early, never, blocked, neverPromoted }) =>
    [
      level,
      real.count,
      leadText(real),
      policy.count,
      leadText(policy),
      early,
      never,
      blocked,
      neverPromoted.real,
      neverPromoted.policy,
    ].map(String),
  );
  return `<section><h2>Totals</h2>${tableMarkup("Promotions by level", [...header, ...more], rows)}</section>`;
}

function deviationsMarkup(simulation: Simulation, gaps: readonly Gap[]): string {
  const { early, never, closed, hotfixes, downgrades, unknown } = deviationsOf(simulation);
  const parts: readonly (readonly [title: string, list: readonly ReplayedChange[]])[] = [
    ["Sooner than the policy", early],
    ["Never by the policy", never],
    ["At a moment at which the policy lets nothing through", closed],
    ["Hot-fixes", hotfixes],
    ["Downgrades", downgrades],
    ["Not seen in the followed channel before", unknown],
  ];
  const lists = parts
    .filter(([, list]) => list.length > 0)
    .map(([title, list]) => {
      const rows = list.map(({ replay, change }) => [
        instantText(change.revision.atMs),
        `${replay.channel}/${replay.module}`,
        change.from ?? "–",
        change.to ?? "–",
        explainChange(change, replay, gaps),
      ]);
      const summary = `<summary>${escapeMarkup(title)} (${String(list.length)})</summary>`;
      return `<details>${summary}${tableMarkup(title, ["When", "What", "From", "To", "Why"], rows)}</details>`;
    });
  return `<section><h2>Where history and policy part</h2>${lists.length === 0 ? "<p>Nowhere.</p>" : lists.join("\n")}</section>`;
}

function legendMarkup(gaps: readonly Gap[]): string {
  const sign = (shape: string): string => `<svg class="sign" viewBox="0 0 16 16" aria-hidden="true">${shape}</svg>`;
  const box = (style: string): string => `<g class="${style}"><rect x="1" y="2" width="14" height="12"/></g>`;
  const all: readonly (readonly [shape: string, meaning: string])[] = [
    [box("followed even"), "what the followed channel served"],
    [box("real even"), "what the channel really served"],
    [box("policy even"), "what it would have served by the policy"],
    ...LEGEND,
    ...(gaps.length === 0
      ? []
      : [['<rect class="gap" x="1" y="1" width="14" height="14"/>', "nobody looked"] as const]),
  ];
  return `<ul class="legend">${all.map(([shape, meaning]) => `<li>${sign(shape)} ${meaning}</li>`).join("")}</ul>`;
}

function moduleMarkup(replay: ModuleReplay, simulation: Simulation, gaps: readonly Gap[], id: string): string {
  const name = `${replay.channel} / ${replay.module}`;
  const happened = replay.changes.map((change) => ({
    atMs: change.revision.atMs,
    row: ["really", change.from ?? "–", change.to ?? "–", explainChange(change, replay, gaps)],
  }));
  const made = replay.promotions.map(({ atMs, from, to, level, leadMs, reallyAtMs }) => ({
    atMs,
    row: ["by policy", from ?? "–", to, policyText(level, leadMs, reallyAtMs)],
  }));
  const kept = replay.passedOver.map(({ version, kind, reasons }) => `${version}, ${kind}: ${reasons.join(" ")}`);
  const rows = [...happened, ...made]
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, row }) => [instantText(atMs), ...row]);
  const never = kept.length === 0 ? "" : `<p>Not promoted by the policy:</p><ul>${kept.map(itemMarkup).join("")}</ul>`;
  return [
    `<article><h3>${escapeMarkup(name)}</h3>`,
    scrollMarkup(`time line of ${name}`, timelineMarkup(replay, simulation, gaps, id)),
    `<details><summary>Every change</summary>${tableMarkup(name, ["When", "Which", "From", "To", "What"], rows)}${never}</details></article>`,
  ].join("\n");
}

function policyText(level: string, leadMs: number, reallyAtMs: number | undefined): string {
  const really = reallyAtMs === undefined ? "It never happened." : `It happened at ${instantText(reallyAtMs)}.`;
  return `A promotion of level ${level}, ${durationText(leadMs)} after the followed channel. ${really}`;
}

function itemMarkup(text: string): string {
  return `<li>${escapeMarkup(text)}</li>`;
}
