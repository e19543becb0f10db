import { readChannelKinds } from "./channels.ts";
import { decide, staying, withoutContradictions } from "./decide.ts";
import { readExisting } from "./existing.ts";
import { makeFiles } from "./made.ts";
import { readInputs } from "./read.ts";
import { readReleaseMeta, releasedModule } from "./releaseMeta.ts";
import type { Import, ImportedFile, ImportInput, ImportOptions } from "./result.ts";
import { claimTemplate } from "./template.ts";
import { writeWinners } from "./write.ts";
import { compareText } from "../order.ts";
import type { SnapshotFile } from "../snapshot.ts";

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
