import { missingText } from "../../../fleet/words.ts";
import { html, type Html } from "../../html.ts";
import { icon, type IconName } from "../../icons.ts";
import type { ClusterState, Lacking } from "../clusters.ts";
import { NONE } from "../filter.ts";

/** A version as people read it. */
export function versionText(version: string | undefined): string {
  return version === undefined || version === NONE ? "not known" : version;
}

/** A region as people read it. */
export function regionText(region: string | undefined): string {
  return region === undefined || region === NONE ? "no region" : region;
}

/** Why a cluster lacks a version, as half a sentence; what lifecycle-manager says is in it. */
export function lackingText(lacking: Lacking): string {
  const { cause } = lacking;
  return cause === undefined ? reasonText(lacking) : `${reasonText(lacking)}: ${cause}`;
}

function reasonText({ why, version }: Lacking): string {
  return why === "unserved" ? "asks where nothing of the module is served" : missingText({ why, version });
}

/** The same as the beginning of a line. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Mark = readonly [style: string, icon: IconName];

const LACKS: Readonly<Record<Lacking["why"], Mark>> = {
  maintenance: ["c-wait", "wait"],
  downgrade: ["c-wait", "warn"],
  warning: ["c-wait", "warn"],
  error: ["c-stop", "block"],
  processing: ["c-move", "move"],
  changing: ["c-move", "move"],
  unmanaged: ["c-ok", "unmanaged"],
  deleting: ["c-ok", "delete"],
  skipped: ["c-ok", "hold"],
  behind: ["c-ok", "none"],
  ahead: ["c-ok", "none"],
  unsaid: ["c-ok", "none"],
  unserved: ["c-ok", "none"],
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
  "Not said": ["c-ok", "none"],
};

/** The colour of a state: `c-stop`. */
export function styleOf(state: ClusterState): string {
  return STATES[state][0];
}

/** The picture of a reason, beside its words. */
export function lackingIcon({ why }: Lacking): Html {
  return marked(LACKS[why]);
}

/** The picture of a state, beside its word. */
export function stateIcon(state: ClusterState): Html {
  return marked(STATES[state]);
}

/** A colour of `lackingIcon`, for a bar: `f-wait`. */
export function barOf({ why }: Lacking): string {
  const [style] = LACKS[why];
  return style === "c-ok" ? "f-slate" : style.replace("c-", "f-");
}

function marked([style, name]: Mark): Html {
  return html`<span class="${style}">${icon(name)}</span>`;
}
