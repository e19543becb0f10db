import type { Reason } from "../promote/verdict/verdict.ts";
import { html, NOTHING, type Html } from "./html.ts";
import { namedIcon, type IconName } from "./icons.ts";
import { sourceLink } from "./source.ts";
import type { DashboardState } from "./state.ts";

const OUTCOMES: Readonly<
  Record<Reason["outcome"], { readonly icon: IconName; readonly tone: string; readonly word: string }>
> = {
  met: { icon: "ok", tone: "c-ok", word: "met" },
  waiting: { icon: "wait", tone: "c-wait", word: "waiting" },
  blocking: { icon: "block", tone: "c-stop", word: "blocking" },
  note: { icon: "none", tone: "c-ok", word: "note" },
};

/** One reason of a verdict, as `promote --explain` prints it, with its source. */
export function reasonLine(
  { outcome, message, remedy, source }: Reason,
  place: Pick<DashboardState, "repositoryUrl" | "revision">,
): Html {
  const { icon, tone, word } = OUTCOMES[outcome];
  return html`<li>
    <span class="${tone}">${namedIcon(icon, word)}</span
    ><span>${message} ${remedy ?? ""} ${source === undefined ? NOTHING : sourceLink(source, place)}</span>
  </li>`;
}
