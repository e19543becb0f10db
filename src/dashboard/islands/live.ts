import { differs, fetchPage, remember, replaceContent } from "./fragment.ts";
import { lengthText } from "./length.ts";

/** The server sends a heartbeat every 10 s. Without one for this long, the page is not live. Milliseconds. */
const SILENCE_MS = 30_000;
const AGAIN_MS = 5000;
/** How long a changed row is tinted. Milliseconds. */
const TINT_MS = 2000;

const status = document.getElementById("live");
let heardMs = Date.now();
let source: EventSource | undefined;

function say(text: string, isLost: boolean): void {
  if (status === null || status.textContent === text) return;
  status.textContent = text;
  status.classList.toggle("status-lost", isLost);
}

function heard(event: MessageEvent<string>): void {
  heardMs = Date.now();
  offsetMs = Number(event.data) - heardMs;
  if (isOutOfOrder) offerOrder();
  else say("Live", false);
}

/** Whether the page lacks rows or shows them in an old order. A row stays under the pointer until the reader reloads. */
let isOutOfOrder = false;

function offerOrder(): void {
  if (status?.querySelector("a") !== null) return;
  const link = document.createElement("a");
  link.href = location.href;
  link.textContent = "Changed: reorder";
  status.classList.remove("status-lost");
  status.replaceChildren(link);
}

/** Fetches this page again, and replaces the parts that differ. The server alone renders and escapes. */
async function refresh(): Promise<void> {
  const address = location.href;
  const fresh = await fetchPage(address);
  // The reader may have opened another address meanwhile.
  if (fresh === undefined || address !== location.href) return;
  for (const old of document.querySelectorAll<HTMLElement>("[data-live][id]")) {
    const next = fresh.getElementById(old.id);
    if (next === null || !differs(old, next)) continue;
    old.className = `${next.className} recently-changed`;
    replaceContent(old, next);
    setTimeout(() => {
      old.classList.remove("recently-changed");
    }, TINT_MS);
  }
  isOutOfOrder = idsIn(fresh) !== idsIn(document);
  if (isOutOfOrder) offerOrder();
}

function idsIn(page: Document): string {
  return [...page.querySelectorAll("[data-live][id]")].map(({ id }) => id).join(" ");
}

function open(): void {
  source?.close();
  source = new EventSource("/events");
  source.addEventListener("beat", heard);
  source.addEventListener("change", (event: MessageEvent<string>) => {
    heard(event);
    void refresh();
  });
}

function check(): void {
  if (document.hidden) return;
  if (Date.now() - heardMs > SILENCE_MS || source?.readyState === EventSource.CLOSED) {
    const since = new Date(heardMs + serverNow() - Date.now()).toISOString().slice(11, 19);
    say(`Not live since ${since}Z, trying again`, true);
  }
  if (source?.readyState === EventSource.CLOSED) open();
}

/** A hidden page has no connection, because a browser has only six connections to a server. */
function onVisibility(): void {
  if (document.hidden) {
    source?.close();
    return;
  }
  heardMs = Date.now();
  open();
  void refresh();
}

for (const element of document.querySelectorAll<HTMLElement>("[data-live][id]")) {
  remember(element);
}
document.addEventListener("visibilitychange", onVisibility);
setInterval(check, AGAIN_MS);
open();

/** The server's clock minus the clock of this machine. Milliseconds. */
let offsetMs = Number(document.body.dataset["now"]) - Date.now();

/** The current time of the server. Unix milliseconds. */
function serverNow(): number {
  return Date.now() + offsetMs;
}

/** Shorter countdowns show seconds. Milliseconds. */
const LAST_MS = 120_000;

function tick(): void {
  const nowMs = serverNow();
  let isClose = false;
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-countdown], time[data-age]")) {
    const leftMs = Date.parse(time.dateTime) - nowMs;
    const text =
      "age" in time.dataset ? lengthText(Math.max(0, -leftMs)) : leftMs > 0 ? `in\u00a0${lengthText(leftMs)}` : "due";
    if (time.textContent !== text) time.textContent = text;
    isClose ||= leftMs > 0 && leftMs < LAST_MS;
  }
  setTimeout(tick, isClose ? 1000 : 10_000);
}

tick();
