import { html, NOTHING, type Html, type Part } from "./html.ts";

/** The icons of pages. Each is shown beside a word, or has a name. */
export type IconName =
  | "move"
  | "wait"
  | "block"
  | "ok"
  | "none"
  | "hold"
  | "fix"
  | "debt"
  | "drift"
  | "refused"
  | "contested"
  | "blind"
  | "warn"
  | "delete"
  | "unmanaged"
  | "search"
  | "theme"
  | "close"
  | "star"
  | "star-on";

/** The class of a colour, which says what a text or an icon means. */
export type Tone = "tone-move" | "tone-wait" | "tone-stop" | "tone-fix" | "tone-calm";

/** An icon in the colour of its meaning. */
export interface Sign {
  readonly icon: IconName;
  readonly tone: Tone;
}

/** An icon beside a word with the same meaning. */
export function icon(name: IconName): Html {
  return html`<svg class="page-icon" aria-hidden="true"><use href="#i-${name}" /></svg>`;
}

/** An icon without a word, and its name for screen readers. */
export function namedIcon(name: IconName, label: string): Html {
  return html`<svg class="page-icon" role="img" aria-label="${label}"><use href="#i-${name}" /></svg>`;
}

/** A sign beside a word with the same meaning, or before `content` in the same colour. */
export function signIcon({ icon: name, tone }: Sign, content: Part = NOTHING): Html {
  return html`<span class="${tone}">${icon(name)}${content}</span>`;
}

/** A sign without a word, and its name for screen readers. */
export function namedSign({ icon: name, tone }: Sign, label: string): Html {
  return html`<span class="${tone}">${namedIcon(name, label)}</span>`;
}

/** The symbols of all icons. Every page contains them once. */
export const SPRITE: Html = html`<svg class="visually-hidden" aria-hidden="true">
  <symbol id="i-move" viewBox="0 0 16 16"><path d="M3.5 2.2 14 8 3.5 13.8z" fill="currentColor" /></symbol>
  <symbol id="i-wait" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.8" />
    <path d="M8 4.4V8l2.6 1.8" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
  </symbol>
  <symbol id="i-block" viewBox="0 0 16 16">
    <path d="M5 1.4h6L14.6 5v6L11 14.6H5L1.4 11V5z" fill="currentColor" />
    <path d="M4.6 8h6.8" stroke="var(--background)" stroke-width="2.2" />
  </symbol>
  <symbol id="i-ok" viewBox="0 0 16 16">
    <path
      d="m3 8.6 3.4 3.4L13.2 4.6"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </symbol>
  <symbol id="i-none" viewBox="0 0 16 16">
    <path d="M4 8h8" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
  </symbol>
  <symbol id="i-hold" viewBox="0 0 16 16">
    <rect x="1.8" y="1.8" width="12.4" height="12.4" rx="3" fill="none" stroke="currentColor" stroke-width="1.6" />
    <path d="M6.2 5v6M9.8 5v6" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
  </symbol>
  <symbol id="i-fix" viewBox="0 0 16 16"><path d="M9.4 1 3 9.2h4L6.4 15 13 6.6H8.8z" fill="currentColor" /></symbol>
  <symbol id="i-debt" viewBox="0 0 16 16">
    <path
      d="M8 1.8 14.2 8 8 14.2 1.8 8z"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linejoin="round"
    />
  </symbol>
  <symbol id="i-drift" viewBox="0 0 16 16">
    <path d="M3 6h10M3 10.2h10M10.6 2.6 5.4 13.4" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
  </symbol>
  <symbol id="i-refused" viewBox="0 0 16 16">
    <rect x="1.8" y="1.8" width="12.4" height="12.4" rx="1" fill="none" stroke="currentColor" stroke-width="1.6" />
    <path d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
  </symbol>
  <symbol id="i-contested" viewBox="0 0 16 16">
    <path
      d="M1.6 5.4h9M8 2.6l3 2.8-3 2.8M14.4 10.6h-9M8 7.8l-3 2.8 3 2.8"
      fill="none"
      stroke="currentColor"
      stroke-width="1.7"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </symbol>
  <symbol id="i-blind" viewBox="0 0 16 16">
    <path
      d="M1.6 8S4 3.8 8 3.8 14.4 8 14.4 8 12 12.2 8 12.2 1.6 8 1.6 8z"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
    />
    <path d="m2.6 13.4 10.8-10.8" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
  </symbol>
  <symbol id="i-warn" viewBox="0 0 16 16">
    <path d="M8 2 14.8 14H1.2z" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round" />
    <path d="M8 6.4v3.4M8 11.7v.4" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
  </symbol>
  <symbol id="i-delete" viewBox="0 0 16 16">
    <path
      d="M2.6 4.4h10.8M6 4V2.4h4V4M4.2 4.4l.6 9.2h6.4l.6-9.2"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linejoin="round"
    />
  </symbol>
  <symbol id="i-unmanaged" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="5.8" fill="none" stroke="currentColor" stroke-width="1.7" stroke-dasharray="2.6 2" />
  </symbol>
  <symbol id="i-search" viewBox="0 0 16 16">
    <circle cx="7" cy="7" r="4.6" fill="none" stroke="currentColor" stroke-width="1.7" />
    <path d="m10.6 10.6 3.6 3.6" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" />
  </symbol>
  <symbol id="i-theme" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.6" />
    <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
  </symbol>
  <symbol id="i-close" viewBox="0 0 16 16">
    <path d="m4 4 8 8m0-8-8 8" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
  </symbol>
  <symbol id="i-star" viewBox="0 0 16 16">
    <path
      d="m8 1.8 1.9 4 4.3.6-3.1 3 .8 4.3L8 11.6l-3.9 2.1.8-4.3-3.1-3 4.3-.6z"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linejoin="round"
    />
  </symbol>
  <symbol id="i-star-on" viewBox="0 0 16 16">
    <path d="m8 1.8 1.9 4 4.3.6-3.1 3 .8 4.3L8 11.6l-3.9 2.1.8-4.3-3.1-3 4.3-.6z" fill="currentColor" />
  </symbol>
</svg>`;
