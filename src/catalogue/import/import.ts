import { compareText } from "../../document/order.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import { readChannelKinds } from "./channels.ts";
import { decide, staying, type Winner, withoutContradictions } from "./decide.ts";
import { type ExistingTemplates, readExisting } from "./existing.ts";
import { reportEdit } from "./fields.ts";
import { makeFiles } from "./made.ts";
import { decideModules } from "./modules.ts";
import { type VersionContent, differences, stampCount, write } from "./place.ts";
import { readInputs } from "./read.ts";
import { readReleaseMeta, releasedModule } from "./releaseMeta.ts";
import type { Import, ImportedTemplate, ImportInput, ImportOptions } from "./result.ts";
import type { PlaceClaim } from "./settle.ts";
import { claimTemplate } from "./template.ts";

/**
 * Decides how to bring existing templates and release metas into a catalogue.
 *
 * Takes:  `files`, the current files of the catalogue, none for a new one.
 * Gives:  the files to write, which `parse` accepts together with `files`, and the inputs that are left out. The order of
 *         `inputs` does not matter, and a second import of the same inputs writes nothing. Never throws.
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
  const terms = releases.flatMap((release) => release.terms);
  const modules = decideModules({ files, templates: standing, claims: terms, preferNewest });
  const made = [...makeFiles({ files, templates: standing, channels, context }), ...modules.made];
  const nothing = written.length + decision.present.length === 0;
  return {
    // Settings, then policies, then files in folders: an interrupted import leaves a catalogue that loads.
    files: nothing
      ? []
      : [...made, ...written].sort(
          (a, b) => a.path.split("/").length - b.path.split("/").length || compareText(a.path, b.path),
        ),
    present: decision.present,
    leftOut: [
      ...leftOut,
      ...claims.filter((claim) => "reason" in claim),
      ...releases.flatMap((release) => release.leftOut),
      ...decision.leftOut,
      ...modules.leftOut,
    ].sort((a, b) => compareText(a.source, b.source) || compareText(a.message, b.message)),
  };
}

/**
 * The files of the winners.
 *
 * Templates with equal specs count as one content, but their labels and annotations may differ, and the repository may
 * hold only one set for a version. So each version gets those of one input in all places (or those of the repository, if
 * it has the version already).
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

/** The newest first, with `preferNewest`; then the one with the most labels and annotations, so that few are lost. */
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
