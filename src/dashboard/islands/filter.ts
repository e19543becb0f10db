import { fetchPage, replaceContent } from "./fragment.ts";

/** Who types is not answered letter by letter. Milliseconds. */
const TYPING_MS = 100;
/** An answer that takes longer is announced. Milliseconds. */
const SLOW_MS = 300;

/** The parts of a page of clusters. */
interface FleetParts {
  readonly form: HTMLFormElement;
  readonly clusters: HTMLElement;
}

function partsOf(page: Document): FleetParts | undefined {
  const [form, clusters] = [page.querySelector<HTMLFormElement>("form.filters"), page.getElementById("fleet")];
  return form === null || clusters === null ? undefined : { form, clusters };
}

/** The address that a form leads to. */
function addressOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return `${form.getAttribute("action") ?? ""}?${new URLSearchParams(fields).toString()}`;
}

/** Has a button say that its work takes long; gives what ends that. */
function announced(button: Element | null): () => void {
  const name = button?.textContent ?? "";
  const slow = setTimeout(() => button?.replaceChildren("Filtering…"), SLOW_MS);
  return () => {
    clearTimeout(slow);
    if (button !== null && button.textContent !== name) button.replaceChildren(name);
  };
}

let asked = new AbortController();

/** Shows what an address has in place of what stands; the last one that is asked for wins. Who types goes on typing. */
async function show(parts: FleetParts, address: string, isTyped: boolean): Promise<void> {
  asked.abort();
  const { signal } = (asked = new AbortController());
  await new Promise((resolve) => setTimeout(resolve, isTyped ? TYPING_MS : 0));
  if (signal.aborted) return;
  const end = announced(parts.form.querySelector("button"));
  try {
    const page = await fetchPage(address, signal);
    const next = page && partsOf(page);
    if (next === undefined) throw new Error(`no clusters at ${address}`);
    replaceContent(parts.clusters, next.clusters);
    if (!isTyped) replaceContent(parts.form, next.form);
  } catch (error) {
    // The browser says what is wrong there.
    if (!isAbort(error)) location.assign(address);
  } finally {
    end();
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** What was clicked, where the click opens or closes a cluster beside the others; not where it asks for a new tab. */
function besideLink(event: MouseEvent): HTMLElement | undefined {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-beside]") : null;
  return isPlain ? (link ?? undefined) : undefined;
}

/** Shows a cluster beside the others, or these alone, and goes on from what was opened. */
async function showBeside(parts: FleetParts, address: string): Promise<void> {
  const opener = `a[data-beside="${CSS.escape(location.pathname + location.search)}"]`;
  history.pushState(null, "", address);
  await show(parts, address, false);
  const next = parts.clusters.querySelector<HTMLElement>(".drawer a") ?? parts.clusters.querySelector(opener);
  next?.focus();
}

/** Narrows without leaving the page; the address is that which the form would lead to. */
function keep(parts: FleetParts): void {
  const narrow = (isTyped: boolean): void => {
    const address = addressOf(parts.form);
    if (isTyped) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    void show(parts, address, isTyped);
  };
  parts.form.addEventListener("input", ({ target }) => {
    narrow(target instanceof HTMLInputElement);
  });
  parts.form.addEventListener("submit", (event) => {
    event.preventDefault();
    narrow(true);
  });
  parts.clusters.addEventListener("click", (event) => {
    const address = besideLink(event)?.dataset["beside"];
    if (address === undefined) return;
    event.preventDefault();
    void showBeside(parts, address);
  });
  window.addEventListener("popstate", () => {
    void show(parts, location.href, false);
  });
}

const found = partsOf(document);
if (found !== undefined) keep(found);
