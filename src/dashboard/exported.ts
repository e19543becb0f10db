import { renderPage } from "./layout.ts";
import type { DashboardState } from "./state.ts";

/** An address of our own in a page: values are escaped, so that none of them can look like one. */
const LINK = /\b(href|action)="(\/[^"]*)"/g;

/** Every page that can be reached from the first one, as files by path, with links that need no server. */
export function exportedPages(state: DashboardState, styles: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const waiting = ["/"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = fileOf(path);
    if (files.has(file)) continue;
    const { text } = renderPage(
      state,
      { path, query: new URLSearchParams() },
      { theme: undefined, styles, scripts: [] },
    );
    files.set(file, relativeLinks(text, file, styles));
    waiting.push(...pathsIn(text).filter((found) => !styles.includes(found)));
  }
  return files;
}

function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(LINK)].map(([, , address = ""]) => pathOf(address));
}

function pathOf(address: string): string {
  return address.replace(/(\?|#|&#).*$/, "");
}

/** What cannot be a file of that name everywhere is written as its code. */
function fileOf(path: string): string {
  const name = path.slice(1).replace(/[^A-Za-z0-9./-]/g, (character) => `_${character.charCodeAt(0).toString(16)}`);
  return `${name.replaceAll("..", "_2e_2e") || "index"}.html`;
}

function relativeLinks(text: string, from: string, styles: readonly string[]): string {
  const up = "../".repeat(from.split("/").length - 1);
  return text.replace("<html", "<html data-static").replace(LINK, (_whole, name: string, address: string) => {
    const path = pathOf(address);
    const [hash = ""] = /#[^"]*$/.exec(address) ?? [];
    return `${name}="${up}${styles.includes(path) ? path.slice(1) : fileOf(path)}${hash}"`;
  });
}
