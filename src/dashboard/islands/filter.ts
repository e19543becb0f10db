import { fetchPage, replaceContent } from "./fragment.ts";

/** The delay before a typed filter is applied. Milliseconds. */
const TYPING_MS = 100;
/** The time after which a slow answer is announced. Milliseconds. */
const SLOW_MS = 300;

/** The parts of a fleet page that a filter changes. */
interface FleetParts {
  readonly form: HTMLFormElement;
  readonly clusters: HTMLElement;
}

function fleetPageParts(page: Document): FleetParts | undefined {
  const [form, clusters] = [page.querySelector<HTMLFormElement>("form.fleet-filters"), page.getElementById("fleet")];
  return form === null || clusters === null ? undefined : { form, clusters };
}

/** Shows on a button that its work is slow. Returns a function that ends that. */
function announced(button: Element | null): () => void {
  const name = button?.textContent ?? "";
  const slow = setTimeout(() => button?.replaceChildren("Filtering…"), SLOW_MS);
  return () => {
    clearTimeout(slow);
    if (button !== null && button.textContent !== name) button.replaceChildren(name);
  };
}

let asked = new AbortController();

/** Replaces the clusters by those of an address; the last request wins. While typing, the form is not replaced. */
async function show(parts: FleetParts, address: string, isTyped: boolean): Promise<void> {
  asked.abort();
  const { signal } = (asked = new AbortController());
  await new Promise((resolve) => setTimeout(resolve, isTyped ? TYPING_MS : 0));
  if (signal.aborted) return;
  const end = announced(parts.form.querySelector("button"));
  try {
    const page = await fetchPage(address, signal);
    const next = page && fleetPageParts(page);
    if (next === undefined) throw new Error(`no clusters at ${address}`);
    replaceContent(parts.clusters, next.clusters);
    if (!isTyped) replaceContent(parts.form, next.form);
  } catch (error) {
    // The browser then shows what is wrong.
    const isAbort = error instanceof DOMException && error.name === "AbortError";
    if (!isAbort) location.assign(address);
  } finally {
    end();
  }
}

/** Opens or closes the drawer of a cluster, and sets the focus. */
async function showBeside(parts: FleetParts, address: string): Promise<void> {
  const opener = `a[data-beside="${CSS.escape(location.pathname + location.search)}"]`;
  history.pushState(null, "", address);
  await show(parts, address, false);
  const next = parts.clusters.querySelector<HTMLElement>(".cluster-drawer a") ?? parts.clusters.querySelector(opener);
  next?.focus();
}

/** Applies filters without leaving the page. The address becomes the one that the form would open. */
function keep(parts: FleetParts): void {
  const narrow = (isTyped: boolean): void => {
    const values = [...new FormData(parts.form)];
    const fields = values.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
    const address = `${parts.form.getAttribute("action") ?? ""}?${new URLSearchParams(fields).toString()}`;
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
    // The link opens or closes the drawer, unless the click asks for a new tab or window.
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-beside]") : null;
    const address = link?.dataset["beside"];
    if (!isPlain || address === undefined) return;
    event.preventDefault();
    void showBeside(parts, address);
  });
  window.addEventListener("popstate", () => {
    void show(parts, location.href, false);
  });
}

const found = fleetPageParts(document);
if (found !== undefined) keep(found);
