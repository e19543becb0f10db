/** A page of this server, as it is now; `undefined` where it says that there is none. */
export async function fetchPage(address: string, signal?: AbortSignal): Promise<Document | undefined> {
  const answer = await fetch(address, { headers: { accept: "text/html" }, signal: signal ?? null });
  if (!answer.ok) return undefined;
  return new DOMParser().parseFromString(markup(await answer.text()), "text/html");
}

/** What the server sent of the elements that are shown. */
const sent = new WeakMap<Element, string>();

/** Takes note of what the server sent of an element. */
export function remember(element: Element): void {
  sent.set(element, gistOf(element));
}

/** Whether another page says something else in place of an element. */
export function differs(old: Element, next: Element): boolean {
  return gistOf(next) !== sent.get(old);
}

/** What the server sent of an element, but for times, which count by themselves. */
function gistOf(element: Element): string {
  return element.outerHTML.replace(/(<time [^>]*>)[^<]*/g, "$1");
}

const FOCUSABLE = "a, button, input, select, [tabindex]";

/** Puts in place what an element holds on another page. The element itself stays: it may be what the address names. */
export function replaceContent(old: HTMLElement, next: HTMLElement): void {
  const focused = [...old.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement ?? old);
  sent.set(old, gistOf(next));
  old.replaceChildren(...document.importNode(next, true).childNodes);
  old.querySelectorAll<HTMLElement>(FOCUSABLE)[focused]?.focus();
}

/** What browsers with Trusted Types have; others take text. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): { createHTML(text: string): string };
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypes;
  }
}

const policy = window.trustedTypes?.createPolicy("kyma-modules", { createHTML: (text) => text });

/** Markup that this server sent, which escaped it already. */
function markup(text: string): string {
  return policy?.createHTML(text) ?? text;
}
