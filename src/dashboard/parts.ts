import { html, NOTHING, type Html, type Part } from "./html.ts";
import { signIcon, type Sign, type Tone } from "./icons.ts";
import type { Shape } from "./picture/drawing.ts";

/** A command to run, with a button that copies it if scripts run. */
export function commandBox(command: string): Html {
  const style = "icon-button scripts-only";
  return html`<div class="command-box">
    <code>${command}</code><button type="button" class="${style}" aria-label="Copy: ${command}">Copy</button>
  </div>`;
}

/** Commands to run. In place of `…`, the reader enters a value. */
export function commandList(commands: Iterable<string>): Html {
  return html`<div class="command-list">${[...commands].map(commandBox)}</div>`;
}

/** The heading of a page, and facts about it, which are updated when they change. */
export function pageHead(title: Part, facts: Part): Html {
  return html`<div class="page-head wrapping-line">
    <h1>${title}</h1>
    <p class="page-facts" id="seen" data-live>${facts}</p>
  </div>`;
}

/** The first sentence of a page, and what follows it. */
export function pageAnswer(sentence: Part, more: Part = NOTHING): Html {
  return html`<p class="page-answer wrapping-line"><span class="answer-sentence">${sentence}</span> ${more}</p>`;
}

/** A part of a page with its own heading. It is updated when it changes. */
export function section(id: string, title: Part, content: Part): Html {
  return html`<section class="page-section" id="${id}" aria-labelledby="${id}-title" data-live>
    <h2 class="wrapping-line" id="${id}-title">${title}</h2>
    ${content}
  </section>`;
}

/** A part that may be wider than the page. It scrolls by itself, also by the keyboard. */
export function sideScroller(label: string, content: Part): Html {
  return html`<div class="side-scroller" tabindex="0" role="region" aria-label="${label}, scrolls sideways">
    ${content}
  </div>`;
}

/** The heading of a column, and the class of its cells. */
export type ColumnHeading = Part | readonly [heading: Part, style: string];

/** A table with a row of headings. `style`: classes beside `data-table`. */
export function dataTable(headings: readonly ColumnHeading[], rows: Part, style = "", caption = ""): Html {
  const heads = headings.map((heading) => {
    const [text, own] = isStyled(heading) ? heading : [heading, ""];
    return html`<th scope="col" class="${own}">${text}</th>`;
  });
  return html`<table class="data-table ${style}" role="table">
    ${
      caption === ""
        ? NOTHING
        : html`<caption>
            ${caption}
          </caption>`
    }
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function isStyled(heading: ColumnHeading): heading is readonly [heading: Part, style: string] {
  return Array.isArray(heading);
}

/** A table of texts, which scrolls by itself. */
export function textTable(caption: string, headings: readonly string[], rows: readonly (readonly string[])[]): Html {
  const lines = rows.map(
    (row) =>
      html`<tr>
        ${row.map((cell) => html`<td>${cell}</td>`)}
      </tr>`,
  );
  return sideScroller(caption, dataTable(headings, lines, "", caption));
}

/** A term, and its descriptions. */
type DescribedTerm = readonly [term: Part, ...descriptions: readonly Part[]];

/** Terms and their descriptions. `style`: the class of the list; `label`: its name for screen readers. */
export function termList(style: string, terms: readonly DescribedTerm[], label?: string): Html {
  if (terms.length === 0) return NOTHING;
  const items = terms.map(([term, ...descriptions]) => {
    const name = html`<dt>${term}</dt>`;
    return html`<div>${name}${descriptions.map((one) => html`<dd>${one}</dd>`)}</div>`;
  });
  return html`<dl class="${style}" ${label === undefined ? NOTHING : html`aria-label="${label}"`}>${items}</dl>`;
}

/** Lines with a sign in front of each. */
export function reasonList(lines: readonly Html[]): Html {
  return html`<ul class="reason-list">
    ${lines}
  </ul>`;
}

/** A line of a list of reasons. `mark`: its icon. */
export function reasonItem(mark: Html, content: Part): Html {
  return html`<li>
    ${mark}
    <div>${content}</div>
  </li>`;
}

/** One entry of a list of records. */
export interface RecordEntry {
  readonly sign: Sign;
  readonly content: Html;
  readonly time: Html;
  readonly detail: Part;
}

/** Records with their times, or a word if there are none. */
export function recordList(entries: readonly RecordEntry[], none: string): Html {
  if (entries.length === 0) return html`<p class="muted-text">${none}</p>`;
  const items = entries.map(
    ({ sign, content, time, detail }) =>
      html`<li>
        ${signIcon(sign)}
        <span>${content}</span>
        <span class="record-time small-text muted-text">${time}</span>
        <span class="record-detail small-text muted-text">${detail}</span>
      </li>`,
  );
  return html`<ul class="record-list bordered-box">
    ${items}
  </ul>`;
}

/** A bar that is full at 1. The number beside it is the same. */
export function shareBar(share: number, tone: Tone): Html {
  const width = `${String(Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10)}%`;
  return html`<svg class="share-bar" aria-hidden="true" fill="currentColor">
    <rect class="bar-track" width="100%" height="100%" />
    <rect class="${tone}" width="${width}" height="100%" />
  </svg>`;
}

/** A page in one file, without scripts or external resources. `style`: the style sheet of pages. */
export function storedPage(title: string, style: string, body: Html): string {
  const head = html`<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>`;
  const parts = [
    `<head>${head.toString()}<style>`,
    style,
    `</style></head><body><main>${body.toString()}</main></body>`,
  ];
  return ["<!DOCTYPE html>", '<html lang="en">', ...parts, "</html>", ""].join("\n");
}

/** A drawing as SVG. */
export function drawn({ tag, attributes, children }: Shape): Html {
  const values = Object.entries(attributes).map(([name, value]) => html` ${name}="${value}"`);
  const content = children.map((child) => (typeof child === "string" ? html`${child}` : drawn(child)));
  return content.length === 0 ? html`<${tag}${values} />` : html`<${tag}${values}>${content}</${tag}>`;
}
