import { missingText } from "../../../fleet/words.ts";
import { html, type Html } from "../../html.ts";
import { icon, type IconName } from "../../icons.ts";
import type { ClusterRow, ClusterState, Lacking, UnwantedReason } from "../clusters.ts";
import { NONE } from "../filter.ts";

/** A version as text. */
export function versionText(version: string | undefined): string {
  return version === undefined || version === NONE ? "not known" : version;
}

/** A region as text. */
export function regionText(region: string | undefined): string {
  return region === undefined || region === NONE ? "no region" : region;
}

/** Why a cluster lacks a version, with the message of lifecycle-manager, as part of a sentence. */
export function lackingText(lacking: Lacking): string {
  const { cause } = lacking;
  return cause === undefined ? reasonText(lacking) : `${reasonText(lacking)}: ${cause}`;
}

function reasonText(lacking: Lacking): string {
  return isUnwanted(lacking) ? UNWANTED[lacking.why].text : missingText(lacking);
}

/** The channel that a cluster asks for, or why none is shown. */
export function channelText({ channel, lacking }: Pick<ClusterRow, "channel" | "lacking">): string {
  return channel ?? (lacking !== undefined && isUnwanted(lacking) ? UNWANTED[lacking.why].channel : "not known");
}

function isUnwanted(lacking: Lacking): lacking is UnwantedReason {
  return lacking.why in UNWANTED;
}

const UNWANTED: Readonly<Record<UnwantedReason["why"], { readonly text: string; readonly channel: string }>> = {
  unserved: { text: "asks for a channel that does not serve the module", channel: "not served" },
  unchosen: { text: "channel not known", channel: "not known" },
  unlisted: { text: "no Kyma enables it", channel: "none" },
};

/** A text with a capital first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Mark = readonly [style: string, icon: IconName];

const LACKS: Readonly<Record<Lacking["why"], Mark>> = {
  maintenance: ["c-wait", "wait"],
  downgrade: ["c-wait", "warn"],
  warning: ["c-wait", "warn"],
  error: ["c-stop", "block"],
  forgotten: ["c-stop", "block"],
  overdue: ["c-stop", "block"],
  processing: ["c-move", "move"],
  changing: ["c-move", "move"],
  unmanaged: ["c-ok", "unmanaged"],
  deleting: ["c-ok", "delete"],
  skipped: ["c-ok", "hold"],
  behind: ["c-ok", "none"],
  ahead: ["c-ok", "none"],
  unsaid: ["c-ok", "none"],
  unserved: ["c-ok", "none"],
  unchosen: ["c-ok", "none"],
  unlisted: ["c-ok", "none"],
};

const STATES: Readonly<Record<ClusterState, Mark>> = {
  Ready: ["c-ok", "ok"],
  Processing: ["c-move", "move"],
  Changing: ["c-move", "move"],
  Warning: ["c-wait", "warn"],
  Error: ["c-stop", "block"],
  Deleting: ["c-ok", "delete"],
  Unmanaged: ["c-ok", "unmanaged"],
  Skipped: ["c-ok", "hold"],
  Unknown: ["c-ok", "none"],
};

/** The colour of a state: `c-stop`. */
export function styleOf(state: ClusterState): string {
  return STATES[state][0];
}

/** The icon of a reason. */
export function lackingIcon({ why }: Lacking): Html {
  return marked(LACKS[why]);
}

/** The icon of a state. */
export function stateIcon(state: ClusterState): Html {
  return marked(STATES[state]);
}

/** The colour of `lackingIcon` for a bar: `f-wait`. */
export function barOf({ why }: Lacking): string {
  const [style] = LACKS[why];
  return style === "c-ok" ? "f-slate" : style.replace("c-", "f-");
}

function marked([style, name]: Mark): Html {
  return html`<span class="${style}">${icon(name)}</span>`;
}
