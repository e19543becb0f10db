import type { ModuleName } from "../../catalogue/names.ts";
import { countdown, instant, instantBeside, instantText, lengthText, numberText, percentText } from "../format.ts";
import { html, NOTHING, outwardLink, type Html } from "../html.ts";
import { icon, signIcon, type Sign } from "../icons.ts";
import { shareBar, termList } from "../parts.ts";
import { fileLink, sourceLink } from "../reasons.ts";
import type { DashboardState } from "../state.ts";
import type { ModuleFacts } from "./facts.ts";
import type { PlacedRollout } from "./rollouts.ts";
import type { ModuleSummary, NextVersion } from "./summary.ts";

/** The name of a module, its owners, and its links. */
export function moduleHead({ module, said }: ModuleFacts, isFavourite: boolean, state: DashboardState): Html {
  const { repository, documentation } = said?.says.links ?? {};
  return html`<div class="wrapping-line">
    <h1>${module}</h1>
    ${favouriteButton(module, isFavourite)}
    <span class="muted-text">${said === undefined ? "no owner" : said.owners.join(", ")}</span>
    <span class="module-links wrapping-line small-text muted-text">
      ${repository === undefined ? NOTHING : outwardLink(repository, "Repository")}
      ${documentation === undefined ? NOTHING : outwardLink(documentation, "Documentation")}
      ${said?.files.module === undefined ? NOTHING : fileLink(said.files.module.path, state)}
    </span>
  </div>`;
}

/** Contains both stars: a style sheet shows the right one. Hidden without scripts. */
function favouriteButton(module: string, isFavourite: boolean): Html {
  return html`<button
    class="icon-button favourite-button"
    id="favourite"
    type="button"
    data-module="${module}"
    aria-pressed="${String(isFavourite)}"
    aria-label="Favourite"
    hidden
  >
    ${icon("star")}${icon("star-on")}
  </button>`;
}

/** The first sentences: the version, how many clusters have it, and the next version. */
export function moduleSentence(
  facts: ModuleFacts,
  { status, placed, next }: ModuleSummary,
  state: DashboardState,
): Html {
  if (status === undefined)
    return html`<p class="lead-sentence">
      <b>No channel serves ${facts.module}</b>${clustersText(placed, undefined, state)}
    </p>`;
  const { channel, version } = status;
  const current =
    version === undefined && placed === undefined
      ? html`<b>${channel} does not have it yet.</b>`
      : html`<b>${channel} serves ${version ?? "no version"}</b>${clustersText(placed, version, state)}`;
  return html`<p class="lead-sentence">
    ${current} ${next === undefined ? "No next version." : nextText(next, state)}
  </p>`;
}

function clustersText(placed: PlacedRollout | undefined, wanted: string | undefined, state: DashboardState): Html {
  if (placed === undefined) return html`.`;
  const {
    seen,
    version: { version, counts },
  } = placed;
  const asOf = seen.blind === undefined ? NOTHING : asOfText(seen.seenMs, state.nowMs);
  const named = version === wanted ? "" : `; ${seen.landscape} has ${version}`;
  if (counts === undefined)
    return html`${named}. The number of clusters of ${seen.landscape} that have it is not known${asOf}.`;
  const { clusters, have } = counts;
  if (clusters === 0) return html`${named}. No cluster of ${seen.landscape} asks for it${asOf}.`;
  return html`${named}, which runs on ${percentText(have / clusters)} of the ${numberText(clusters)} clusters of
  ${seen.landscape} that should have it${asOf}.`;
}

/** The time of an old observation, as part of a sentence. */
function asOfText(seenMs: number | undefined, nowMs: number): Html {
  return seenMs === undefined ? html`, never seen` : html`, as of ${instant(seenMs, nowMs)}`;
}

function nextText({ version, channel, kind, atMs, awaiting, reason }: NextVersion, { nowMs }: DashboardState): Html {
  if (kind === "promote") return html`<b>${version} may enter ${channel} now.</b>`;
  if (atMs !== undefined) {
    const preposition = instantText(atMs, nowMs).includes(",") ? "on" : "at";
    return html`<b>${version} may enter ${channel} ${preposition} ${instant(atMs, nowMs)}.</b>`;
  }
  const why = awaiting.length > 0 ? awaiting.join(" ") : (reason?.message ?? "");
  return html`<b>${version} ${kind === "blocked" ? "is blocked" : "waits"}:</b> ${why}`;
}

/** One of the four facts. */
interface HeadFact extends Sign {
  readonly term: string;
  readonly value: Html;
  readonly details: Html;
}

/** Four facts: clusters, next version, failing clusters, holds. */
export function factsList(module: ModuleName, summary: ModuleSummary, state: DashboardState): Html {
  const facts = [
    clustersFact(summary.placed, state),
    nextFact(summary, state),
    failingFact(summary.placed),
    heldFact(summary),
  ];
  const terms = facts.map(
    ({ term, value, details, ...sign }) => [html`${signIcon(sign)}${term}`, value, details] as const,
  );
  return termList("head-facts bordered-box lined-grid", terms, `${module} in four facts`);
}

const UNKNOWN = html`not known`;

function clustersFact(placed: PlacedRollout | undefined, { nowMs }: DashboardState): HeadFact {
  const about = { tone: "tone-move", icon: "move" } as const;
  if (placed === undefined)
    return { ...about, term: "Clusters", value: UNKNOWN, details: html`No landscape that was seen serves it.` };
  const { seen, version } = placed;
  const { counts, sinceMs } = version;
  const since =
    sinceMs === undefined ? html`applied at an unknown time` : html`applied ${instantBeside(sinceMs, nowMs)}`;
  return {
    ...about,
    term: `${version.version} on ${seen.landscape}`,
    value: counts === undefined ? UNKNOWN : html`${numberText(counts.have)} of ${numberText(counts.clusters)}`,
    details: html`${counts === undefined ? NOTHING : countsBar(counts)}${since}${seen.blind === undefined ? NOTHING : asOfText(seen.seenMs, nowMs)}`,
  };
}

/** A bar for the share of clusters that have a version. */
export function countsBar({ have, clusters }: { readonly have: number; readonly clusters: number }): Html {
  return shareBar(clusters === 0 ? 0 : have / clusters, "tone-move");
}

function nextFact({ status, next }: ModuleSummary, state: DashboardState): HeadFact {
  if (next === undefined) {
    const term = `Next for ${status?.channel ?? "a channel"}`;
    return { tone: "tone-calm", icon: "none", term, value: html`nothing`, details: html`No candidate.` };
  }
  const { version, reason, channel } = next;
  const source = reason?.source === undefined ? NOTHING : sourceLink(reason.source, state);
  const details = html`${reason?.message ?? "All requirements of the policy are met."} ${source}`;
  return { ...comingSigns(next, state.nowMs), term: `${version} to ${channel}`, details };
}

function comingSigns({ kind, atMs }: NextVersion, nowMs: number): Sign & Pick<HeadFact, "value"> {
  switch (kind) {
    case "promote":
      return { tone: "tone-move", icon: "move", value: html`now` };
    case "blocked":
      return { tone: "tone-stop", icon: "block", value: html`blocked` };
    case "wait":
      return { tone: "tone-wait", icon: "wait", value: atMs === undefined ? html`waits` : countdown(atMs, nowMs) };
  }
}

function failingFact(placed: PlacedRollout | undefined): HeadFact {
  const { counts, replaced, failedBefore } = placed?.version ?? {};
  const about = { tone: "tone-calm", icon: "ok", term: "Failing" } as const;
  if (counts === undefined || counts.clusters === 0)
    return { ...about, icon: "none", value: UNKNOWN, details: html`No cluster is known to run it.` };
  const before = replaced === undefined || failedBefore === undefined ? undefined : { ...replaced, failedBefore };
  const details =
    before === undefined
      ? html`The share that failed before it is not recorded.`
      : html`${before.version} when it was replaced: ${percentText(before.failedBefore)}`;
  const isAny = counts.failing > 0;
  return {
    ...about,
    ...(isAny && ({ tone: "tone-stop", icon: "block" } as const)),
    value: html`${percentText(counts.failing / counts.clusters)}`,
    details: html`${numberText(counts.failing)} of ${numberText(counts.clusters)}. ${details}`,
  };
}

function heldFact({ held }: ModuleSummary): HeadFact {
  const isAny = held.length > 0;
  return {
    tone: isAny ? "tone-stop" : "tone-calm",
    icon: "hold",
    term: "Holds",
    value: html`${String(held.length)}`,
    details: isAny ? html`<a href="#holds">${held.join(", ")}</a>` : html`No version is held.`,
  };
}

/** The text of a duration; `not known` without a start. */
export function lengthBetween(fromMs: number | undefined, untilMs: number): string {
  return fromMs === undefined ? "not known" : lengthText(Math.max(0, untilMs - fromMs));
}
