import { missingText } from "../../fleet/words.ts";
import type { Html } from "../html.ts";
import { signIcon, type Sign } from "../icons.ts";
import type { ClusterRow, ClusterState, Lacking, UnwantedReason } from "./clusters.ts";
import { NONE } from "./filter.ts";

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

const LACKS: Readonly<Record<Lacking["why"], Sign>> = {
  maintenance: { icon: "wait", tone: "tone-wait" },
  downgrade: { icon: "warn", tone: "tone-wait" },
  warning: { icon: "warn", tone: "tone-wait" },
  error: { icon: "block", tone: "tone-stop" },
  forgotten: { icon: "block", tone: "tone-stop" },
  overdue: { icon: "block", tone: "tone-stop" },
  processing: { icon: "move", tone: "tone-move" },
  changing: { icon: "move", tone: "tone-move" },
  unmanaged: { icon: "unmanaged", tone: "tone-calm" },
  deleting: { icon: "delete", tone: "tone-calm" },
  skipped: { icon: "hold", tone: "tone-calm" },
  behind: { icon: "none", tone: "tone-calm" },
  ahead: { icon: "none", tone: "tone-calm" },
  unsaid: { icon: "none", tone: "tone-calm" },
  unserved: { icon: "none", tone: "tone-calm" },
  unchosen: { icon: "none", tone: "tone-calm" },
  unlisted: { icon: "none", tone: "tone-calm" },
};

const STATES: Readonly<Record<ClusterState, Sign>> = {
  Ready: { icon: "ok", tone: "tone-calm" },
  Processing: { icon: "move", tone: "tone-move" },
  Changing: { icon: "move", tone: "tone-move" },
  Warning: { icon: "warn", tone: "tone-wait" },
  Error: { icon: "block", tone: "tone-stop" },
  Deleting: { icon: "delete", tone: "tone-calm" },
  Unmanaged: { icon: "unmanaged", tone: "tone-calm" },
  Skipped: { icon: "hold", tone: "tone-calm" },
  Unknown: { icon: "none", tone: "tone-calm" },
};

/** The sign of a reason. */
export function lackingSign({ why }: Lacking): Sign {
  return LACKS[why];
}

/** The sign of a state. */
export function stateSign(state: ClusterState): Sign {
  return STATES[state];
}

/** The icon of a state. */
export function stateIcon(state: ClusterState): Html {
  return signIcon(STATES[state]);
}
