import { lengthText } from "./length.ts";

/** How far the server's clock is ahead of that of this machine. Milliseconds. */
let offsetMs = Number(document.body.dataset["now"]) - Date.now();

/** The server's time. */
export function serverNow(): number {
  return Date.now() + offsetMs;
}

/** Takes the server's time from what it said just now. */
export function setServerNow(nowMs: number): void {
  offsetMs = nowMs - Date.now();
}

/** The last two minutes are told by the second. */
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
