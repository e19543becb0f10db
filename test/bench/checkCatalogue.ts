import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { letters, writeSampleCatalogue } from "./sampleCatalogue.ts";
import { sampleManifest, type SampleVersion } from "./sampleManifest.ts";
import { commitAll, gitIn } from "./sampleRepository.ts";

/** The settings that rules ask for, beside the landscapes. */
const SETTINGS = `registry: { baseUrl: europe-docker.pkg.dev/kyma-project/prod }
images: { allow: ["europe-docker.pkg.dev/kyma-project/prod/**"], digest: preferred }
kubernetes: { versions: ["1.34", "1.36"] }
`;

/** The channel whose versions have manifests. */
const CHANNEL = "fast";

/** How many channel files, and how many modules that have a manifest as well. */
export interface CatalogueSize {
  readonly modules: number;
  readonly manifests: number;
}

/** Writes a catalogue, one commit, to `folder`. */
export async function writeCheckCatalogue(folder: string, size: CatalogueSize, signal: AbortSignal): Promise<void> {
  mkdirSync(folder);
  writeSampleCatalogue(folder, size.modules);
  appendFileSync(join(folder, "kyma-modules.yaml"), SETTINGS);
  for (let index = 0; index < size.manifests; index++) {
    const sample = sampleVersion(index);
    write(manifestPath(folder, sample), sampleManifest(sample));
  }
  await commitAll(folder, signal);
}

/** A new version of the first module in one channel; `withManifest`: and its manifest, whose definition has one field more. */
export interface Bump {
  readonly withManifest: boolean;
}

/** Writes a working tree of `catalogue` to `folder`, one commit ahead by that bump. */
export async function writeBump(
  catalogue: string,
  folder: string,
  { withManifest }: Bump,
  signal: AbortSignal,
): Promise<void> {
  await gitIn(catalogue, signal)("worktree", "add", "--quiet", "--detach", folder, "HEAD");
  const sample = sampleVersion(0);
  const path = join(folder, "channels", CHANNEL, `${sample.module}.yaml`);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(sample.version, NEXT));
  const next = { ...sample, version: NEXT };
  if (withManifest) write(manifestPath(folder, next), sampleManifest(next, 1));
  await commitAll(folder, signal);
}

/** A minor step, so that more fields are in order. */
const NEXT = "1.9.0";

function sampleVersion(index: number): SampleVersion {
  return { index, module: `sample-${letters(index)}`, version: `1.1.${index % 97}` };
}

function manifestPath(folder: string, { module, version }: SampleVersion): string {
  return join(folder, "modules", module, version, "manifest.yaml");
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
