import { compile, type Compilation } from "../../src/catalogue/compile.ts";
import { parse } from "../../src/catalogue/parse.ts";
import { cataloguePlace } from "../../src/catalogue/paths.ts";
import type { Run, Source } from "../../src/ports.ts";
import { SAMPLE_LANDSCAPE } from "./sampleCatalogue.ts";

/** Loads a sample catalogue and compiles it for its landscape, as the commands do. */
export async function compileSample(source: Source, namespace: string, run: Run): Promise<Compilation> {
  const { revision, files } = await source.snapshot((path) => cataloguePlace(path) !== undefined, run);
  const parsing = parse(revision, files);
  if (parsing.kind === "refused")
    throw new Error(`the sample is not a catalogue: ${JSON.stringify(parsing.findings[0])}`);
  return compile(parsing.catalogue, { landscape: SAMPLE_LANDSCAPE, namespace, generation: "version-templates" });
}
