import { shortCommit } from "../document/printable.ts";
import { sourceText } from "../promote/body.ts";
import type { Reason, ReasonSource } from "../promote/verdict/verdict.ts";
import { html, NOTHING, outwardLink, type Html } from "./html.ts";
import { namedSign, type Sign } from "./icons.ts";
import { reasonItem } from "./parts.ts";
import type { DashboardState } from "./state.ts";

/** The address of the repository on the forge, and the commit. */
export type ForgePlace = Pick<DashboardState, "repositoryUrl" | "revision">;

/** A link to a file of the commit that was decided on, such as `channels/regular.yaml:8`. */
export function fileLink(file: string, place: ForgePlace): Html {
  const [path = "", line] = file.split(":");
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const hash = line === undefined ? "" : `#L${line}`;
  const address = place.repositoryUrl && `${place.repositoryUrl}/blob/${place.revision}/${encoded}${hash}`;
  return html`<span class="code-text muted-text">${outwardLink(address, file)}</span>`;
}

/** A link to a commit. */
export function commitLink(commit: string, { repositoryUrl }: ForgePlace): Html {
  const address = repositoryUrl && `${repositoryUrl}/commit/${commit}`;
  return outwardLink(address, html`<code>${shortCommit(commit)}</code>`);
}

/** The source of a reason, with a link if the forge shows it. */
export function sourceLink(source: ReasonSource, place: ForgePlace): Html {
  switch (source.kind) {
    case "file":
      return fileLink(sourceText(source), place);
    case "commit":
      return html`<span class="code-text muted-text">commit ${commitLink(source.commit, place)}</span>`;
    case "evidence":
      return html`<span class="code-text muted-text">${outwardLink(source.source, source.source)}</span>`;
  }
}

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
