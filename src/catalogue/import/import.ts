import { compareText } from "../../document/order.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import { readChannelKinds } from "./channels.ts";
import { decide, staying, type Winner, withoutContradictions } from "./decide.ts";
import { type ExistingTemplates, readExisting } from "./existing.ts";
import { reportEdit } from "./fields.ts";
import { makeFiles } from "./made.ts";
import { type VersionContent, differences, stampCount, write } from "./place.ts";
import { readInputs } from "./read.ts";
import { readReleaseMeta, releasedModule } from "./releaseMeta.ts";
import type { Import, ImportedFile, ImportedTemplate, ImportInput, ImportOptions } from "./result.ts";
import type { PlaceClaim } from "./settle.ts";
import { claimTemplate } from "./template.ts";

/**
 * Decides what becomes of templates and release metas that exist elsewhere when they are brought into a catalogue.
 *
 * Takes:  `files`, the catalogue's files as they are, none for a new one.
 * Gives:  the files to write, which `parse` accepts together with `files`, and what is left out. The order of `inputs`
 *         does not matter, and importing the same again writes nothing. Never throws.
 */
export function importObjects(
  inputs: readonly ImportInput[],
  files: ReadonlyMap<string, SnapshotFile>,
  options: ImportOptions,
): Import {
  const { preferNewest, context, changedMs } = options;
  const { objects, leftOut } = readInputs(inputs);
  const metas = objects.filter(({ kind }) => kind === "ModuleReleaseMeta");
  const channels = readChannelKinds(files, new Set(metas.map(({ value }) => releasedModule(value))));
  const releases = metas.map((meta) => readReleaseMeta(meta, channels));
  const templates = objects.filter(({ kind }) => kind === "ModuleTemplate");
  const claims = templates.map((template) => claimTemplate(template, channels));
  const existing = readExisting(files, changedMs, channels);
  const decided = decide(
    claims.filter((claim) => "place" in claim),
    releases.flatMap((release) => release.claims),
    existing,
    preferNewest,
  );
  const decision = withoutContradictions(decided, existing, preferNewest);
  const written = writeWinners(decision.winners, existing, preferNewest);
  const standing = [...staying(existing, decision.winners), ...decision.winners];
  const components = releases.flatMap((release) => release.components);
  const restrictions = releases.flatMap((release) => release.restrictions);
  const made = makeFiles({ files, templates: standing, channels, components, restrictions, context });
  const nothing = written.length + decision.present.length === 0;
  return {
    files: nothing ? [] : [...made, ...written].sort(byNeed),
    present: decision.present,
    leftOut: [
      ...leftOut,
      ...claims.filter((claim) => "reason" in claim),
      ...releases.flatMap((release) => release.leftOut),
      ...decision.leftOut,
    ].sort((a, b) => compareText(a.source, b.source) || compareText(a.message, b.message)),
  };
}

/** Settings, then policies, then what stands in folders: an import that is cut off leaves a catalogue that loads. */
function byNeed(a: ImportedFile, b: ImportedFile): number {
  return a.path.split("/").length - b.path.split("/").length || compareText(a.path, b.path);
}

/**
 * The files of the winners.
 *
 * Equal specs are one, but their labels and annotations may differ, and of one version the repository may hold one set
 * only. So each version takes those of one input (of the repository, where it has the version already), in all places.
 */
function writeWinners(
  winners: readonly Winner[],
  existing: ExistingTemplates,
  preferNewest: boolean,
): readonly ImportedTemplate[] {
  const standing = Map.groupBy(staying(existing, winners), ({ place }) => `${place.module} ${place.version}`);
  const versions = Map.groupBy(winners, ({ place }) => `${place.module} ${place.version}`);
  return [...versions].flatMap(([version, same]) => {
    const isFirst = byWeight(preferNewest);
    const best = same.flatMap(({ claims }) => claims).reduce((a, b) => (isFirst(a, b) < 0 ? a : b));
    const { content } = standing.get(version)?.[0] ?? best;
    return same.map((winner) => writeWinner(winner, content));
  });
}

/** The newest, where that is asked for; then the one with most labels and annotations, so that least is lost. */
function byWeight(preferNewest: boolean): (a: PlaceClaim, b: PlaceClaim) => number {
  return (a, b) =>
    (preferNewest ? (b.changedMs ?? 0) - (a.changedMs ?? 0) : 0) ||
    stampCount(b.content) - stampCount(a.content) ||
    compareText(a.source, b.source);
}

function writeWinner({ place, claims, replaces }: Winner, chosen: VersionContent): ImportedTemplate {
  const ordered = claims.toSorted((a, b) => compareText(a.source, b.source));
  const own = ordered.find(({ content, released }) => !released && content.contentHash === chosen.contentHash);
  const content = own?.content ?? chosen;
  const { text, edits } = write(content, place);
  const { incoming } = content;
  return {
    kind: "template",
    path: place.path,
    text,
    module: place.module,
    version: place.version,
    channel: place.channel,
    from: incoming.source,
    releasedBy: ordered.filter(({ released }) => released).map(({ source }) => source),
    merged: ordered
      .filter(({ source, released }) => !released && source !== incoming.source)
      .map((other) => ({ source: other.source, differs: differences(content, other.content) })),
    edits: edits.map((edit) => reportEdit(incoming.value, edit)),
    replaces,
  };
}
