import type { Catalogue } from "../catalogue/catalogue.ts";
import { parse } from "../catalogue/parse.ts";
import { placeOf } from "../catalogue/paths.ts";
import type { Run, Snapshot, Source } from "../ports.ts";
import type { Output } from "./output.ts";
import { sayFindings } from "./reportFindings.ts";

/** Reads a catalogue and says what is wrong with it; `undefined` when it is none. */
export async function loadCatalogue(source: Source, output: Output, run: Run): Promise<Catalogue | undefined> {
  return readCatalogue(await source.snapshot(isOfCatalogue, run), output);
}

/** Whether a catalogue reads the file at `path`. */
export function isOfCatalogue(path: string): boolean {
  return placeOf(path) !== undefined;
}

/** The catalogue that `snapshot` holds, after saying what is wrong with it; `undefined` when it is none. */
export function readCatalogue({ revision, files }: Snapshot, output: Output): Catalogue | undefined {
  const parsing = parse(revision, files);
  sayFindings(parsing.kind === "refused" ? parsing.findings : parsing.catalogue.findings, output);
  return parsing.kind === "refused" ? undefined : parsing.catalogue;
}
