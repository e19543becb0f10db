import { countdown, percentText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { icon, namedIcon, type IconName } from "../icons.ts";
import { shareBar } from "../parts.ts";
import type { Lane, LaneNote, Stretch } from "./lane.ts";

/** The style of a stretch, and its word for screen readers. */
const LOOKS: Readonly<
  Record<Stretch["kind"], { readonly style: string; readonly icon?: IconName; readonly word: string }>
> = {
  served: { style: "", word: "" },
  hotfix: { style: "version-hotfix", icon: "fix", word: "hot-fix" },
  moving: { style: "version-moving", icon: "move", word: "on its way" },
  arrived: { style: "version-moving", icon: "ok", word: "arrived" },
  older: { style: "version-older", word: "not reached yet" },
  foreign: { style: "version-older", icon: "blind", word: "of another commit" },
  halted: { style: "version-halted", icon: "block", word: "halted" },
  uncounted: { style: "", icon: "blind", word: "clusters not known" },
  nothing: { style: "version-missing", word: "nothing" },
  unseen: { style: "version-missing", icon: "blind", word: "not seen" },
};

/** The versions of a module in a channel, by landscape. */
export function laneView({ channel, stretches, notes }: Lane, nowMs: number): Html {
  const names = stretches.flatMap(({ landscapes }) => landscapes);
  const isMulti = stretches.length > 1 || notes.length > 0;
  const columns = html`<span class="landscape-columns lane-landscapes">
    ${names.map((name) => html`<span>${name}</span>`)}
  </span>`;
  const below = notes.map(({ landscape, note }) => noteView(landscape, note, nowMs));
  return html`<span class="lane-label small-text muted-text" aria-hidden="true"
      ><b>${channel}</b>${isMulti ? columns : NOTHING}</span
    ><span class="landscape-columns">${stretches.map(stretchView)}</span
    >${below.length === 0 ? NOTHING : html`<span class="landscape-columns">${below}</span>`}`;
}

function noteView(landscape: string, note: LaneNote | undefined, nowMs: number): Html {
  const text = note && html`<span class="visually-hidden">${landscape} </span>${noteText(note, nowMs)}`;
  return html`<span class="lane-note small-text muted-text">${text}</span>`;
}

function stretchView(stretch: Stretch): Html {
  const { landscapes, kind, version, isBlind } = stretch;
  const { style } = LOOKS[kind];
  const span = `span-${String(landscapes.length)}`;
  return html`<span class="lane-version ${style} ${span} ${isBlind ? "version-unseen" : ""}"
    ><span class="visually-hidden">${landscapes.join(", ")}: </span
    ><span class="version-text">${version ?? "–"}</span>${stretchMark(stretch)}</span
  >`;
}

/** The icon and the word of a stretch beside its version: without them, what is not seen looks like nothing. */
export function stretchMark({ kind }: Pick<Stretch, "kind">): Html {
  const { icon: mark, word } = LOOKS[kind];
  return html`${mark === undefined ? NOTHING : icon(mark)}${word === "" ? NOTHING : html`<span class="visually-hidden"> ${word}</span>`}`;
}

function noteText(note: LaneNote, nowMs: number): Html {
  switch (note.kind) {
    case "share":
      return html`${percentText(note.share)}${shareBar(note.share, "tone-move")}`;
    case "failing":
      return html`<span class="tone-stop">${percentText(note.share)} fail</span>`;
    case "soak":
      return html`<span class="tone-wait">${namedIcon("wait", "soaks")} ${countdown(note.untilMs, nowMs)}</span>`;
    case "kept":
      return html`<span class="tone-wait">${note.word}</span>`;
  }
}
