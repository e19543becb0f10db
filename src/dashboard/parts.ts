import type { Shape } from "../promote/picture/drawing.ts";
import { commandBox } from "./commandBox.ts";
import { html, type Html, type Part } from "./html.ts";

/** Commands to run. In place of `…`, the reader enters a value. */
export function commandList(commands: readonly string[]): Html {
  return html`<div class="cmds">${commands.map(commandBox)}</div>`;
}

/** A part of a page with its own heading. It is updated when it changes. */
export function section(id: string, title: Part, content: Part): Html {
  return html`<section class="s" id="${id}" aria-labelledby="${id}-title" data-live>
    <h2 id="${id}-title">${title}</h2>
    ${content}
  </section>`;
}

/** A part that may be wider than the page. It scrolls by itself, also by the keyboard. */
export function scroller(label: string, content: Part): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}, scrolls sideways">${content}</div>`;
}

/** A drawing as SVG. */
export function drawn({ tag, attributes, children }: Shape): Html {
  const said = Object.entries(attributes).map(([name, value]) => html` ${name}="${value}"`);
  const content = children.map((child) => (typeof child === "string" ? html`${child}` : drawn(child)));
  return html`<${tag}${said}>${content}</${tag}>`;
}
