import { renderPage } from "./layout.ts";
import type { DashboardState } from "./state.ts";

/** A link to one of our pages. Values are escaped, so that none of them matches. */
const LINK = /\b(href|action)="(\/[^"]*)"/g;

/**
 * Every page that is linked from the first one, as files by path. Their links work without a server. A file has the page
 * without a query, so links with one become text.
 */
export function exportedPages(state: DashboardState, styles: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const waiting = ["/"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = exportedFile(path);
    if (files.has(file)) continue;
    const { text } = renderPage(
      state,
      { path, query: new URLSearchParams() },
      { theme: undefined, styles, scripts: [] },
    );
    files.set(file, relativeLinks(text, file, styles));
    const linked = [...text.matchAll(LINK)].map(([, , address = ""]) => exportedPath(address));
    waiting.push(...linked.filter((found) => !styles.includes(found)));
  }
  return files;
}

function exportedPath(address: string): string {
  return address.replace(/(\?|#|&#).*$/, "");
}

/** Characters that are not valid in file names on every system are replaced by their codes. */
function exportedFile(path: string): string {
  const name = path.slice(1).replace(/[^A-Za-z0-9./-]/g, (character) => `_${character.charCodeAt(0).toString(16)}`);
  return `${name.replaceAll("..", "_2e_2e") || "index"}.html`;
}

function relativeLinks(text: string, from: string, styles: readonly string[]): string {
  const up = "../".repeat(from.split("/").length - 1);
  return text.replace("<html", "<html data-static").replace(LINK, (_whole, name: string, address: string) => {
    if (address.includes("?")) return "";
    const path = exportedPath(address);
    const [hash = ""] = /#[^"]*$/.exec(address) ?? [];
    return `${name}="${up}${styles.includes(path) ? path.slice(1) : exportedFile(path)}${hash}"`;
  });
}
