/** The current page at an address of this server; `undefined` if the server answers with an error. */
export async function fetchPage(address: string, signal?: AbortSignal): Promise<Document | undefined> {
  const answer = await fetch(address, { headers: { accept: "text/html" }, signal: signal ?? null });
  if (!answer.ok) return undefined;
  const text = await answer.text();
  // Trusted markup: it comes from this server, which escaped it.
  return new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "text/html");
}

/** The markup that the server sent for the elements of this page. */
const sent = new WeakMap<Element, string>();

/** Stores the markup that the server sent for an element. */
export function remember(element: Element): void {
  sent.set(element, elementGist(element));
}

/** Whether an element of another page differs from what the server sent for the shown one. */
export function differs(old: Element, next: Element): boolean {
  return elementGist(next) !== sent.get(old);
}

/** The markup of an element without the text of times, which count by themselves. */
function elementGist(element: Element): string {
  return element.outerHTML.replace(/(<time [^>]*>)[^<]*/g, "$1");
}

const FOCUSABLE = "a, button, input, select, [tabindex]";

/** Replaces the content of an element by that of another page. The element stays: the address may name it. */
export function replaceContent(old: HTMLElement, next: HTMLElement): void {
  const focused = [...old.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement ?? old);
  sent.set(old, elementGist(next));
  old.replaceChildren(...document.importNode(next, true).childNodes);
  old.querySelectorAll<HTMLElement>(FOCUSABLE)[focused]?.focus();
}

/** The interface of browsers with Trusted Types; other browsers accept text. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): { createHTML(text: string): string };
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypes;
  }
}

const policy = window.trustedTypes?.createPolicy("kyma-modules", { createHTML: (text) => text });
