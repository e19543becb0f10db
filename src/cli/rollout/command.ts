import type { Catalogue } from "../../catalogue/catalogue.ts";
import { servedModules, unservedText } from "../../catalogue/lookup.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { printableJson } from "../../document/printable.ts";
import type { ReadyQuantiles } from "../../fleet/readyTimes.ts";
import type { MissingGroup, RolloutCounts } from "../../fleet/rollout.ts";
import { Fault, type Run } from "../../ports.ts";
import {
  landscapeRollout,
  type LandscapeRollout,
  type CountedVersion,
  type VersionRollout,
} from "../../sync/landscapeRollout.ts";
import { readModule } from "../arguments.ts";
import { clock } from "../compose/systems.ts";
import { type Gather, followTelling } from "../status/follow.ts";
import { instant } from "../status/landscapeJson.ts";
import { landscapeAccount, chosenLandscapes, type LandscapeAccount, openScope } from "../sync/landscapes.ts";
import { EXIT, type Output, jsonDocument } from "../terminal/output.ts";
import { noteText, rolloutText, type RolloutFacts, countsText, namesText, NOTE, servedText } from "./report.ts";
import { secondText } from "../../document/times.ts";
import { readyText, reasonText } from "../../fleet/words.ts";
import { html, NOTHING, type Html } from "../../dashboard/html.ts";
import { storedPage, textTable } from "../../dashboard/parts.ts";
import { pageStyle } from "../compose/pageAssets.ts";

interface RolloutArguments {
  readonly repo: string;
  readonly revision: string;
  /** `MODULE`, or `MODULE@VERSION`. */
  readonly module: string;
  /** `undefined` for all landscapes that serve the module, or are to serve it. */
  readonly landscape?: string | undefined;
  readonly watch: boolean;
}

/** `kyma-modules rollout`: shows how many clusters have a version, and why the others do not. Returns the exit code. */
export async function rolloutCommand(arguments_: RolloutArguments, output: Output, run: Run): Promise<number> {
  const { repo, revision, landscape } = arguments_;
  const asked = readModule(arguments_.module);
  const scope = await openScope({ repo, revision, worktree: false, withoutRegistry: true }, output, run);
  if (scope === undefined) return EXIT.findings;
  const landscapes = chosenLandscapes(scope.catalogue.settings, landscape === undefined ? [] : [landscape]);
  const expected = landscape === undefined ? servingLandscapes(scope.catalogue, asked.module) : landscapes;
  const tell = async (gather: Gather): Promise<number> => {
    const all = await Promise.all(landscapes.map((one) => look(gather, one, asked, run)));
    const looks = all.filter(({ told }) => expected.some(({ name }) => name === told.landscape) || isThere(told));
    const rollouts = looks.map(({ told }) => told);
    const facts = { revision: scope.revision.commit, decidedAt: clock.nowMs(), module: asked.module };
    output.show({
      text: (paper) => [...rollouts.map((one) => rolloutText(one, facts, paper)), ...noteText(rollouts)].join("\n\n"),
      json: () => rolloutJson(rollouts, facts),
      html: () => rolloutCard(rollouts, facts),
    });
    return Math.max(EXIT.fine, ...looks.map(({ code }) => code));
  };
  return followTelling({ scope, landscapes, watch: arguments_.watch }, tell, run);
}

/** Whether a landscape has a module that no channel brings there any more. If that is not known, it may. */
function isThere({ versions, unknown }: LandscapeRollout): boolean {
  const isKnown = versions.some(({ channel, counts }) => channel !== undefined || (counts?.clusters ?? 0) > 0);
  return isKnown || unknown !== undefined;
}

/** The landscapes on which a channel of the repository serves the module. Throws CONFIGURATION if no channel serves it. */
function servingLandscapes(catalogue: Catalogue, module: ModuleName): readonly Landscape[] {
  const { channels, settings } = catalogue;
  const serving = [...channels.values()].filter(({ templates }) => templates.has(module));
  if (serving.length > 0)
    return settings.landscapes.filter(({ name }) => serving.some(({ landscapes }) => landscapes.includes(name)));
  const hint = "If a control plane still serves it, name the landscape: --landscape NAME.";
  throw new Fault("CONFIGURATION", `${unservedText(module, servedModules(catalogue))} ${hint}`);
}

function look(
  gather: Gather,
  landscape: Landscape,
  asked: ReturnType<typeof readModule>,
  run: Run,
): Promise<LandscapeAccount<LandscapeRollout>> {
  const count = async (): Promise<LandscapeAccount<LandscapeRollout>> => {
    const told = landscapeRollout(await gather(landscape, run), asked);
    return { told, code: told.unknown === undefined ? EXIT.fine : EXIT.world };
  };
  const nothing = { landscape: landscape.name, versions: [], kymas: undefined };
  return landscapeAccount(count, (unknown) => ({ ...nothing, unknown }), run);
}

/** schemas/output/rollout.schema.json. */
function rolloutJson(rollouts: readonly LandscapeRollout[], { module, ...facts }: RolloutFacts): string {
  const items = rollouts.map(({ landscape, versions, kymas, unknown }) => ({
    ...{ landscape, module, kymas: kymas ?? null, unknown: unknown ?? null },
    versions: versions.map(versionItem),
  }));
  return printableJson(jsonDocument("Rollout", facts, items));
}

function versionItem(version: VersionRollout): object {
  const { channel, mandatory, failedBefore, replaced, counts } = version;
  return {
    ...{ channel: channel ?? null, mandatory, ...countedItem(version) },
    failedBefore: failedBefore ?? null,
    missing: counts === undefined ? null : counts.missing.map(missingItem),
    replaced: replaced === undefined ? null : countedItem(replaced),
  };
}

function countedItem({ version, sinceMs, untilMs, counts, ready }: CountedVersion): object {
  return {
    ...{ version, since: instant(sinceMs), until: instant(untilMs), clusters: counts ? clustersItem(counts) : null },
    ready: ready === undefined ? null : readyItem(ready),
  };
}

function readyItem({ clusters, p50Ms, p90Ms, p99Ms }: ReadyQuantiles): object {
  const seconds = (ms: number): number | null => (Number.isFinite(ms) ? Math.ceil(ms / 1000) : null);
  return { clusters, p50: seconds(p50Ms), p90: seconds(p90Ms), p99: seconds(p99Ms) };
}

function clustersItem({ clusters, have, failing }: RolloutCounts): object {
  return { asked: clusters, have, failing, share: clusters === 0 ? null : have / clusters };
}

function missingItem({ why, isFailing, version, cause, count, oldest }: MissingGroup): object {
  const clusters = oldest.map(({ name, sinceMs }) => ({ name, since: instant(sinceMs) }));
  return { why, isFailing, version: version ?? null, cause: cause ?? null, count, oldest: clusters };
}

/** The report as a page in one file, to attach to an incident. */
export function rolloutCard(rollouts: readonly LandscapeRollout[], facts: RolloutFacts): string {
  const title = `Roll-out of ${facts.module}`;
  const { revision = "no commit", decidedAt } = facts;
  const body = html`<h1>${title}</h1>
    <p class="lead-sentence">As seen at ${secondText(decidedAt)}, with the landscapes of ${revision}.</p>
    ${rollouts.map((rollout) => landscapeView(rollout, facts))}
    <p>${NOTE}</p>`;
  return storedPage(title, pageStyle(), body).trimEnd();
}

function landscapeView({ landscape, versions, unknown }: LandscapeRollout, facts: RolloutFacts): Html {
  const nothing = versions.length === 0 && unknown === undefined ? [`No channel serves ${facts.module}.`] : [];
  const notes = unknown === undefined ? nothing : [`Not known: ${unknown}`];
  return html`<section class="page-section">
    <h2>${landscape}</h2>
    ${notes.map((note) => html`<p><b>${note}</b></p>`)} ${versions.map((version) => versionTables(version, facts))}
  </section>`;
}

function versionTables(version: VersionRollout, facts: RolloutFacts): Html {
  const { channel = "no channel", counts, replaced } = version;
  const row = (one: CountedVersion): readonly string[] => [
    one.version,
    servedText(one, facts),
    countsText(one.counts),
    one.ready === undefined ? "not known" : readyText(one.ready),
  ];
  const rows = [row(version), ...(replaced === undefined ? [] : [row(replaced)])];
  const missing = (counts?.missing ?? []).map((group) => [
    String(group.count),
    reasonText(group),
    namesText(group, facts),
  ]);
  return html`${textTable(`${channel}: ${version.version}, and what it replaced`, HEADER, rows)}
  ${missing.length === 0 ? NOTHING : textTable(`Clusters without ${version.version}`, MISSING, missing)}`;
}

const HEADER = ["Version", "Served", "Clusters", "Apply to Ready"];
const MISSING = ["Clusters", "Why", "First of them"];
