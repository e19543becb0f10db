import { instantBeside } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { icon, type IconName } from "../icons.ts";
import { commandList } from "../parts.ts";
import type { Attention } from "./attention.ts";

const LOOKS: Readonly<Record<Attention["kind"], readonly [style: string, picture: IconName, word: string]>> = {
  stuck: ["c-stop", "block", "Commit not served"],
  stale: ["c-wait", "blind", "Stale"],
  halted: ["c-stop", "block", "Wave halted"],
  refused: ["c-stop", "refused", "Refused"],
  contested: ["c-stop", "contested", "Contested"],
  paused: ["c-ok", "hold", "Paused"],
  drift: ["c-wait", "drift", "Drift"],
  held: ["c-stop", "hold", "Held"],
  waiting: ["c-wait", "wait", "Waits"],
};

/** What a person should look at, each with what can be done. */
export function attentionList(matters: readonly Attention[], nowMs: number): Html {
  if (matters.length === 0) return html`<p>Nothing of this landscape needs you.</p>`;
  return html`<ul class="reasons">
    ${matters.map((matter) => attentionItem(matter, nowMs))}
  </ul>`;
}

function attentionItem({ kind, about, message, remedy, sinceMs, untilMs, command }: Attention, nowMs: number): Html {
  const [style, picture, word] = LOOKS[kind];
  const since =
    sinceMs === undefined ? NOTHING : html`<span class="muted nb">since ${instantBeside(sinceMs, nowMs)}</span>`;
  const until =
    untilMs === undefined ? NOTHING : html`<span class="muted nb">until ${instantBeside(untilMs, nowMs)}</span>`;
  return html`<li>
    <span class="${style}">${icon(picture)}</span>
    <div>
      <b class="${style}">${word}</b> <b>${about}</b>: ${message} ${since} ${until}
      ${remedy === undefined ? NOTHING : html`<br /><span class="muted">${remedy}</span>`}
      ${command === undefined ? NOTHING : commandList([command])}
    </div>
  </li>`;
}
