import type { Shape } from "../picture/drawing.ts";

/** Text that is safe inside an element and inside a quoted attribute. */
export function escapeMarkup(text: string): string {
  return text
    .replace(UNPRINTABLE, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`)
    .replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** Characters that a page does not show, or that reverse text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A part that may be wider than the page, and then scrolls, also by keyboard. `content` is markup already. */
export function scrollMarkup(label: string, content: string): string {
  return `<div class="scroll" tabindex="0" role="group" aria-label="${escapeMarkup(label)}">${content}</div>`;
}

/** A table with a header; cells are texts, and escaped here. */
export function tableMarkup(caption: string, header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${escapeMarkup(cell)}</${tag.split(" ")[0] ?? tag}>`).join("")}</tr>`;
  const lines = [
    `<table><caption>${escapeMarkup(caption)}</caption>`,
    `<thead>${cells('th scope="col"', header)}</thead>`,
    `<tbody>${rows.map((row) => cells("td", row)).join("\n")}</tbody></table>`,
  ];
  return scrollMarkup(caption, lines.join("\n"));
}

/** A drawing as markup. */
export function drawingMarkup({ tag, attributes, children }: Shape): string {
  const said = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`);
  const content = children.map((child) => (typeof child === "string" ? escapeMarkup(child) : drawingMarkup(child)));
  return content.length === 0 ? `<${tag}${said.join("")}/>` : `<${tag}${said.join("")}>${content.join("")}</${tag}>`;
}
