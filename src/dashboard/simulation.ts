import { durationText, instantText } from "../document/times.ts";
import { simulationAccount, type SimulationAccount, type SimulationReport } from "../promote/simulate/account.ts";
import { explainChange } from "../promote/simulate/explain.ts";
import type { Gap } from "../promote/simulate/replayInput.ts";
import { stepText } from "../promote/simulate/sections.ts";
import type { ModuleReplay, Simulation } from "../promote/simulate/simulation.ts";
import { html, NOTHING, type Html } from "./html.ts";
import { drawn, section, sideScroller, storedPage, termList, textTable } from "./parts.ts";
import type { Shape } from "./picture/drawing.ts";
import { LEGEND } from "./picture/marks.ts";
import { drawPicture, type PictureMark } from "./picture/picture.ts";

/** The report of `simulate` as a page in one file. `style`: the style sheet of pages. */
export function simulationPage(report: SimulationReport, style: string): string {
  const { simulation, input } = report;
  const account = simulationAccount(report);
  const modules = simulation.replays.map((replay, place) =>
    moduleView(replay, simulation, input.gaps, `m${String(place)}`),
  );
  const body = html`<h1>${account.title}</h1>
    ${accountFacts(account)} ${section("totals", "Totals", totalsTables(account))}
    ${section("differences", "Differences between history and policy", differencesView(account, "None."))}
    ${section("modules", "Modules", html`${legendView(input.gaps)}${modules}`)}`;
  return storedPage(account.title, style, body);
}

/** The input of a simulation, and its limitations. */
export function accountFacts({ facts }: SimulationAccount): Html {
  const terms = (isAssumed: boolean): readonly (readonly [string, string])[] =>
    facts.flatMap(({ name, text }) => ((name === "assumed") === isAssumed ? [[name, text] as const] : []));
  return html`${termList("replay-facts", terms(false))}${termList("replay-facts assumed-facts", terms(true))}`;
}

/** What happened, and what the policy would have done. */
export function totalsTables({ tables }: SimulationAccount): Html {
  return html`${tables.map(({ title, header, rows }) => textTable(title, header, rows))}`;
}

/** Where history and policy differ, or `none`. A list has at most `most` rows; its heading counts all. */
export function differencesView({ sections }: SimulationAccount, none: string, most?: number): Html {
  if (sections.length === 0) return html`<p>${none}</p>`;
  const lists = sections.map(({ title, entries }) => {
    const rows = entries
      .slice(0, most)
      .map(({ atMs, subject, step, text }) => [instantText(atMs), subject, step, text] as const);
    return html`<details>
      <summary>${title} (${entries.length})</summary>
      ${textTable(title, ["When", "What", "Step", "Why"], rows)}
    </details>`;
  });
  return html`${lists}`;
}

function legendView(gaps: readonly Gap[]): Html {
  const box = (style: string): Html => html`<g class="${style}"><rect x="1" y="2" width="14" height="12" /></g>`;
  const all: readonly (readonly [sign: Html, meaning: string])[] = [
    [box("followed-bar"), "what the followed channel served"],
    [box("channel-bar"), "what the channel really served"],
    [box("policy-bar"), "what it would have served by the policy"],
    ...LEGEND.map(([sign, meaning]) => [drawn(sign), meaning] as const),
    ...(gaps.length === 0
      ? []
      : [[html`<rect class="unseen-gap" x="1" y="1" width="14" height="14" />`, "not observed"] as const]),
  ];
  const items = all.map(([sign, meaning]) => {
    const drawing = html`<svg class="page-icon" viewBox="0 0 16 16" aria-hidden="true">${sign}</svg>`;
    return html`<li class="icon-line">${drawing} ${meaning}</li>`;
  });
  return html`<ul class="sign-key wrapping-line small-text muted-text">
    ${items}
  </ul>`;
}

function moduleView(replay: ModuleReplay, simulation: Simulation, gaps: readonly Gap[], id: string): Html {
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
  const rows = [...happened, ...made]
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, row }) => [instantText(atMs), ...row]);
  const kept = replay.passedOver.map(
    ({ version, kind, reasons }) => html`<li>${version}, ${kind}: ${reasons.join(" ")}</li>`,
  );
  const never = html`<p>Not promoted by the policy:</p>
    <ul class="policy-rules">
      ${kept}
    </ul>`;
  return html`<article class="module-replay">
    <h3>${name}</h3>
    ${sideScroller(`timeline of ${name}`, drawn(drawTimeline(replay, simulation, gaps, id)))}
    <details>
      <summary>Every change</summary>
      ${textTable(name, ["When", "Which", "Step", "What"], rows)} ${kept.length === 0 ? NOTHING : never}
    </details>
  </article>`;
}

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
      { label: follows, style: "followed-bar", spans: spans.followed },
      { label: `${channel}, really`, style: "channel-bar", spans: spans.real },
      { label: `${channel}, by policy`, style: "policy-bar", spans: spans.policy },
    ],
    marks: changes.flatMap(({ how: { kind }, revision, from, to }): readonly PictureMark[] => {
      // The usual steps need no sign.
      if (kind === "first" || kind === "promotion") return [];
      const title = `${kind}: ${from ?? "nothing"} to ${to ?? "nothing"}, ${instantText(revision.atMs)}`;
      return [{ row: 1, kind, atMs: revision.atMs, title }];
    }),
  });
}
