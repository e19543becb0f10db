import { html as template } from "hono/html";
import { printable, printableLines } from "../document/printable.ts";

/** Markup that is safe to send: only `html` creates it. */
export type Html = ReturnType<typeof template> & string;

/** A value in a template: markup is kept, other values become text; `undefined` and booleans become nothing. */
export type Part = Html | string | number | boolean | undefined | readonly Part[];

/**
 * A template. Text is escaped, also in quoted attributes. Characters that are invisible or change the direction of text
 * are written as escapes, because names, messages and commits come from strangers.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return template(strings, ...parts.map(shown)) as Html;
}

function shown(part: Part): unknown {
  if (Array.isArray(part)) return part.map(shown);
  return typeof part === "string" ? printable(part) : part;
}

/** Empty markup. */
export const NOTHING: Html = html``;

/** Text with its line breaks, for `pre`. */
export function htmlLines(text: string): Html {
  return html`${printableLines(text).map((line) => html`${line}&#10;`)}`;
}

/** A link to an https address; any other address is shown as text. */
export function outwardLink(address: string | undefined, content: Part): Html {
  if (address?.startsWith("https://") !== true) return html`${content}`;
  return html`<a href="${address}" rel="noreferrer">${content}</a>`;
}
