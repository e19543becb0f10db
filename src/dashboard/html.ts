import { html as template } from "hono/html";
import { printable, printableLines } from "../document/printable.ts";

/** Markup that is safe to send: it comes from `html` alone. */
export type Html = ReturnType<typeof template> & string;

/** What may stand in a template: markup as it is, everything else as text; `undefined` and booleans as nothing. */
export type Part = Html | string | number | boolean | undefined | readonly Part[];

/**
 * A template. Text is escaped, also within quoted attributes, and what a browser would not show or would turn around is
 * written out: names, messages and commits come from strangers.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return template(strings, ...parts.map(shown)) as Html;
}

function shown(part: Part): unknown {
  if (Array.isArray(part)) return part.map(shown);
  return typeof part === "string" ? printable(part) : part;
}

/** No markup. */
export const NOTHING: Html = html``;

/** Text with its line breaks, for `pre`. */
export function linesOf(text: string): Html {
  return html`${printableLines(text).map((line) => html`${line}&#10;`)}`;
}

/** A link that leaves the page only for https; anything else is shown as text. */
export function outwardLink(address: string | undefined, content: Part): Html {
  if (address?.startsWith("https://") !== true) return html`${content}`;
  return html`<a href="${address}" rel="noreferrer">${content}</a>`;
}
