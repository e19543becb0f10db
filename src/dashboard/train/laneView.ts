import { countdown, percentText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { icon, namedIcon, type IconName } from "../icons.ts";
import type { Lane, LaneNote, Stretch } from "./lane.ts";

/** The style of a stretch, and its word for screen readers. */
const LOOKS: Readonly<
  Record<Stretch["kind"], { readonly style: string; readonly icon?: IconName; readonly word: string }>
> = {
  served: { style: "", word: "" },
  hotfix: { style: "fixv", icon: "fix", word: "hot-fix" },
  moving: { style: "go", icon: "move", word: "on its way" },
  arrived: { style: "go", icon: "ok", word: "arrived" },
  older: { style: "old", word: "not reached yet" },
  foreign: { style: "old", icon: "blind", word: "of another commit" },
  halted: { style: "halt", icon: "block", word: "halted" },
  uncounted: { style: "", icon: "blind", word: "clusters not known" },
  nothing: { style: "nil", word: "nothing" },
  unseen: { style: "nil", icon: "blind", word: "not seen" },
};

/** The versions of a module in a channel, by landscape. */
export function laneView({ channel, stretches, notes }: Lane, nowMs: number): Html {
  const count = stretches.reduce((sum, { landscapes }) => sum + landscapes.length, 0);
  const names = stretches.flatMap(({ landscapes }) => landscapes);
  const isMulti = stretches.length > 1 || notes.length > 0;
  return html`<span class="lab ${isMulti ? "multi" : ""}" aria-hidden="true"
      ><b>${channel}</b><span class="caps l${count}">${names.map((name) => html`<span>${name}</span>`)}</span></span
    ><span class="lane l${count}"
      >${stretches.map(stretchView)}${notes.map(({ landscape, note }) =>
        note === undefined
          ? html`<span class="n"></span>`
          : html`<span class="n"><span class="vh">${landscape} </span>${noteText(note, nowMs)}</span>`,
      )}</span
    >`;
}

function stretchView(stretch: Stretch): Html {
  const { landscapes, kind, version, isBlind } = stretch;
  const { style } = LOOKS[kind];
  const span = `s${String(landscapes.length)}`;
  return html`<span class="v ${style} ${span} ${isBlind ? "dim" : ""}"
    ><span class="vh">${landscapes.join(", ")}: </span
    ><span class="n1">${version ?? "–"}</span>${stretchMark(stretch)}</span
  >`;
}

/** The icon and the word of a stretch beside its version: without them, what is not seen looks like nothing. */
export function stretchMark({ kind }: Pick<Stretch, "kind">): Html {
  const { icon: mark, word } = LOOKS[kind];
  return html`${mark === undefined ? NOTHING : icon(mark)}${word === "" ? NOTHING : html`<span class="vh"> ${word}</span>`}`;
}

function noteText(note: LaneNote, nowMs: number): Html {
  switch (note.kind) {
    case "share":
      return html`${percentText(note.share)}${bar(note.share, "move")}`;
    case "failing":
      return html`<span class="c-stop">${percentText(note.share)} fail</span>`;
    case "soak":
      return html`<span class="c-wait">${namedIcon("wait", "soaks")} ${countdown(note.untilMs, nowMs)}</span>`;
    case "kept":
      return html`<span class="c-wait">${note.word}</span>`;
  }
}

/** A bar that is full at 1. */
export function bar(share: number, tone: "move" | "wait"): Html {
  const width = `${String(Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10)}%`;
  return html`<svg class="bar" aria-hidden="true">
    <rect class="f-track" width="100%" height="100%" />
    <rect class="f-${tone}" width="${width}" height="100%" />
  </svg>`;
}
