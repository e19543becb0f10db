import { interventionCommand } from "../../catalogue/commands.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { shellCommand } from "../../document/shellWord.ts";
import type { Status } from "../../promote/status.ts";
import { html, NOTHING, type Html } from "../html.ts";
import type { Page } from "../page.ts";
import { commandList, reasonList, section } from "../parts.ts";
import { reasonLine } from "../reasons.ts";
import type { DashboardState } from "../state.ts";
import { rolloutCurves } from "./curve.ts";
import { versionDefinitions } from "./definitions.ts";
import { moduleEvidence } from "./evidence.ts";
import { factsOfModule, hashOfVersion, type ModuleFacts } from "./facts.ts";
import { seenRollouts } from "./rollouts.ts";
import { moduleSummary, type ModuleSummary } from "./summary.ts";
import { timelineOfModule } from "./timeline.ts";
import { versionRows } from "./versions.ts";
import { curveSections } from "./curve.ts";
import { definitionsSection } from "./definitions.ts";
import { eventsSection } from "./events.ts";
import { evidenceSection } from "./evidence.ts";
import { factsList, moduleHead, moduleSentence } from "./head.ts";
import { holdsSection } from "./holds.ts";
import { rolloutSections } from "./rollout.ts";
import { timelineSection, versionsSection } from "./versions.ts";

/** One module: its current versions, roll-out, evidence and timeline. */
export const moduleDetail: Page = {
  path: "/modules/:module",
  title: ({ module = "" }) => module,
  view: ({ state, params, favourites }) => {
    const facts = factsOfModule(state, params["module"] ?? "");
    return facts && moduleView(facts, state, favourites.has(facts.module));
  },
};

function moduleView(facts: ModuleFacts, state: DashboardState, isFavourite: boolean): Html {
  const { nowMs } = state;
  const { module, channels, events } = facts;
  const rollouts = seenRollouts(module, state);
  const versions = versionRows(facts, state);
  const numbers = versions.map(({ version }) => version);
  const changes = versionDefinitions(module, numbers, state);
  const summary = moduleSummary(facts, rollouts, nowMs);
  return html`${moduleHead(facts, isFavourite, state)}
    <div id="now" data-live>${moduleSentence(facts, summary, state)} ${factsList(module, summary, state)}</div>
    ${timelineSection(timelineOfModule(facts, state))} ${whySections(facts, state)}
    ${curveSections(rolloutCurves(rollouts, nowMs))} ${rolloutSections(rollouts, nowMs)}
    ${evidenceSections(facts, state)} ${holdsSection(facts, state)} ${versionsSection(versions, channels, nowMs)}
    ${definitionsSection(changes)} ${eventsSection(events, state)}
    ${section("next", "Next commands", commandList(commandsFor(facts, summary)))}`;
}

/** All reasons for the next candidate of each channel. */
function whySections({ channels }: ModuleFacts, state: DashboardState): Html {
  const parts = channels.map(({ channel, status }) => {
    const chosen = status?.verdict?.chosen;
    if (chosen === undefined) return NOTHING;
    const title = html`Why ${chosen.version}
    ${chosen.kind === "promote" ? "may enter" : chosen.kind === "wait" ? "waits to enter" : "is blocked from"}
    ${channel.name}`;
    const lines = chosen.reasons.map((one) => reasonLine(one, state));
    return section(`why-${channel.name}`, title, reasonList(lines));
  });
  return html`${parts}`;
}

/** Sections for the versions that channels serve, and for the next candidates. */
function evidenceSections(facts: ModuleFacts, { nowMs }: DashboardState): Html {
  const versions = facts.channels.flatMap(({ status }) => [
    status?.verdict?.chosen?.version ?? [],
    status?.version ?? [],
  ]);
  const parts = [...new Set(versions.flat())].map((version) =>
    evidenceSection(version, hashOfVersion(facts, version), moduleEvidence(facts, version, nowMs), nowMs),
  );
  return html`<div class="two-columns">${parts}</div>`;
}

/** The next commands for the current state of a module. In place of `…`, the reader enters a value. */
export function commandsFor({ module }: Pick<ModuleFacts, "module">, summary: ModuleSummary): readonly string[] {
  const { placed, next, held } = summary;
  return [
    ...(next === undefined ? [] : [`kyma-modules promote ${module} --explain`]),
    ...(next?.kind === "promote" ? [`kyma-modules promote ${module} --apply`] : []),
    ...(placed === undefined
      ? []
      : [shellCommand`kyma-modules rollout ${module}@${placed.version.version} --landscape ${placed.seen.landscape}`]),
    ...stops(module, summary.status),
    ...held.map((version) => interventionCommand("unhold", { module, version, channel: undefined })),
    `kyma-modules history ${module}`,
  ];
}

/** The commands that hold the next version, and withdraw the served one. */
function stops(module: ModuleName, status: Status | undefined): readonly string[] {
  if (status === undefined) return [];
  const { channel, version, verdict } = status;
  const coming = verdict?.chosen?.version;
  return [
    ...(coming === undefined ? [] : [interventionCommand("hold", { module, version: coming, channel })]),
    ...(version === undefined ? [] : [interventionCommand("withdraw", { module, version, channel })]),
  ];
}
