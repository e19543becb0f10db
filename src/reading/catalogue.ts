import type { Catalogue } from "../catalogue/catalogue.ts";
import { parse } from "../catalogue/parse.ts";
import { isOfCatalogue } from "../catalogue/paths.ts";
import { usableCatalogue } from "../catalogue/usable.ts";
import type { Finding } from "../document/finding.ts";
import type { Run, Snapshot, Source } from "../ports.ts";

/** The files of a catalogue, and how far they can be used. */
export interface CatalogueReading extends Snapshot {
  readonly findings: readonly Finding[];
  /** Everything that can be read. Use it to find more problems, and for what cannot wait. */
  readonly readable: Catalogue;
  /** The catalogue if no file has an error. */
  readonly whole: Catalogue | undefined;
  /** Without the modules and channels that have errors; `undefined` if an error affects all modules. */
  readonly usable: Catalogue | undefined;
}

/** The catalogue in a source; only the files that `wants` selects, if it is given. */
export async function catalogueAt(
  source: Source,
  run: Run,
  wants: (path: string) => boolean = isOfCatalogue,
): Promise<CatalogueReading> {
  return catalogueIn(await source.snapshot(wants, run));
}

/** The catalogue in these files. */
export function catalogueIn(snapshot: Snapshot): CatalogueReading {
  const parsing = parse(snapshot.revision, snapshot.files);
  const isWhole = parsing.kind === "catalogue";
  const readable = isWhole ? parsing.catalogue : parsing.readable;
  const whole = isWhole ? readable : undefined;
  return { ...snapshot, findings: readable.findings, readable, whole, usable: usableCatalogue(parsing) };
}
