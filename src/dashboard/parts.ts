import type { Shape } from "../promote/picture/drawing.ts";
import { commandBox } from "./commandBox.ts";
import { html, type Html, type Part } from "./html.ts";

/** Commands to type; `…` stands for what only a person knows. */
export function commandList(commands: readonly string[]): Html {
  return html`<div class="cmds">${commands.map(commandBox)}</div>`;
}

/** A part of a page under a heading of its own; it is shown anew when it changes. */
export function section(id: string, title: Part, content: Part): Html {
  return html`<section class="s" id="${id}" aria-labelledby="${id}-title" data-live>
    <h2 id="${id}-title">${title}</h2>
    ${content}
  </section>`;
}

/** A part that may be wider than the page, and scrolls then by itself, by the keyboard, too. */
export function scroller(label: string, content: Part): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}, scrolls sideways">${content}</div>`;
}

/** A drawing. */
export function drawn({ tag, attributes, children }: Shape): Html {
  const said = Object.entries(attributes).map(([name, value]) => html` ${name}="${value}"`);
  const content = children.map((child) => (typeof child === "string" ? html`${child}` : drawn(child)));
  return html`<${tag}${said}>${content}</${tag}>`;
}
