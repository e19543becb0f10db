import type { Reason } from "../promote/verdict/verdict.ts";
import { html, NOTHING, type Html } from "./html.ts";
import { namedSign, type Sign } from "./icons.ts";
import { reasonItem } from "./parts.ts";
import { sourceLink, type ForgePlace } from "./source.ts";

const OUTCOMES: Readonly<Record<Reason["outcome"], Sign & { readonly word: string }>> = {
  met: { icon: "ok", tone: "tone-calm", word: "met" },
  waiting: { icon: "wait", tone: "tone-wait", word: "waiting" },
  blocking: { icon: "block", tone: "tone-stop", word: "blocking" },
  note: { icon: "none", tone: "tone-calm", word: "note" },
};

/** One reason of a verdict, as `promote --explain` prints it, with its source. */
export function reasonLine({ outcome, message, remedy, source }: Reason, place: ForgePlace): Html {
  const sign = OUTCOMES[outcome];
  const from = source === undefined ? NOTHING : sourceLink(source, place);
  return reasonItem(namedSign(sign, sign.word), html`${message} ${remedy ?? ""} ${from}`);
}
