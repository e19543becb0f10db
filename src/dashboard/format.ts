import { html, type Html } from "./html.ts";
import { lengthText } from "./islands/length.ts";

export { lengthText };

/** A narrow no-break space. */
const THIN = "\u202f";
/** A no-break space. */
const FIXED = "\u00a0";

/** A count with separated thousands: `9 874`. */
export function numberText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** A share of 0 to 1 in per cent, with one decimal. 0 % and 100 % are used only for exactly none and all. */
export function percentText(share: number): string {
  const tenths = Math.round(share * 1000);
  if (tenths === 0 && share > 0) return `<${FIXED}0.1${FIXED}%`;
  if (tenths === 1000 && share < 1) return `>${FIXED}99.9${FIXED}%`;
  return `${String(tenths / 10)}${FIXED}%`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** An instant in UTC: `12:12Z` on the day of `nowMs`, `Tue 24 Nov, 12:12Z` in its year, with the year in others. */
export function instantText(ms: number, nowMs: number): string {
  const at = new Date(ms);
  const iso = at.toISOString();
  const now = new Date(nowMs).toISOString();
  const time = `${iso.slice(11, 16)}Z`;
  if (iso.slice(0, 10) === now.slice(0, 10)) return time;
  const year = iso.slice(0, 4) === now.slice(0, 4) ? "" : ` ${iso.slice(0, 4)}`;
  const day = `${DAYS[at.getUTCDay()] ?? ""} ${String(at.getUTCDate())} ${MONTHS[at.getUTCMonth()] ?? ""}${year}`;
  return `${day}, ${time}`.replaceAll(" ", FIXED);
}

/** An instant that people and programs can read. */
export function instant(ms: number, nowMs: number): Html {
  return html`<time datetime="${new Date(ms).toISOString()}">${instantText(ms, nowMs)}</time>`;
}

/** An instant with its day and year, for a page that may be stored. */
export function dayAndTime(ms: number): Html {
  return instant(ms, 0);
}

/** The distance of an instant from now, and the instant: `in 1 h 28 min, 13:40Z` or `14 min ago, 11:58Z`. */
export function instantBeside(ms: number, nowMs: number): Html {
  const far = ms > nowMs ? `in${FIXED}${lengthText(ms - nowMs)}` : `${lengthText(nowMs - ms)}${FIXED}ago`;
  return html`${far}, ${instant(ms, nowMs)}`;
}

/** The time until an instant. It counts down in the browser. */
export function countdown(ms: number, nowMs: number): Html {
  const text = ms > nowMs ? `in${FIXED}${lengthText(ms - nowMs)}` : "due";
  return html`<time datetime="${new Date(ms).toISOString()}" data-countdown>${text}</time>`;
}

/** The time since an instant. It counts up in the browser. */
export function age(ms: number, nowMs: number): Html {
  return html`<time datetime="${new Date(ms).toISOString()}" data-age>${lengthText(Math.max(0, nowMs - ms))}</time>`;
}
