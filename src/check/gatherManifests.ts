import { inputsFolder, readInputs, type Inputs } from "../catalogue/inputs.ts";
import type { Manifest } from "../catalogue/manifest.ts";
import type { Template } from "../catalogue/template.ts";
import type { Run, Source } from "../ports.ts";
import { versionKey, type Fact } from "./facts.ts";
import { inputAt } from "./scope.ts";

/** The inputs of the builds of `versions`, as far as the repository holds them. Keys: `versionKey`. */
export async function gatherInputs(
  source: Source,
  versions: readonly Template[],
  run: Run,
): Promise<ReadonlyMap<string, Inputs>> {
  const wanted = new Map(versions.map((template) => [versionKey(template), template]));
  const folders = new Set([...wanted.values()].map(({ module, version }) => inputsFolder(module, version)));
  const { files } = await source.snapshot((path) => {
    const input = /\.ya?ml$/.test(path) ? inputAt(path) : undefined;
    return input !== undefined && folders.has(inputsFolder(input.module, input.version));
  }, run);
  return new Map([...wanted].map(([key, { module, version }]) => [key, readInputs(files, module, version)]));
}

/** The manifests that the repository holds itself; of the others it says `why` they are unknown. */
export function localManifests(inputs: ReadonlyMap<string, Inputs>, why: string): ReadonlyMap<string, Fact<Manifest>> {
  return new Map(
    [...inputs].map(([key, { manifest }]): [string, Fact<Manifest>] => [
      key,
      manifest !== undefined && "objects" in manifest ? { kind: "known", value: manifest } : { kind: "unknown", why },
    ]),
  );
}
