import { markup } from "./markup.ts";

/** A page of this server, as it is now; `undefined` where it says that there is none. */
export async function fetchPage(address: string, signal?: AbortSignal): Promise<Document | undefined> {
  const answer = await fetch(address, { headers: { accept: "text/html" }, signal: signal ?? null });
  if (!answer.ok) return undefined;
  return new DOMParser().parseFromString(markup(await answer.text()), "text/html");
}

const FOCUSABLE = "a, button, input, select, [tabindex]";

/** Puts in place what an element holds on another page. The element itself stays: it may be what the address names. */
export function replaceContent(old: HTMLElement, next: HTMLElement): void {
  const focused = [...old.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement ?? old);
  old.replaceChildren(...document.importNode(next, true).childNodes);
  old.querySelectorAll<HTMLElement>(FOCUSABLE)[focused]?.focus();
}
