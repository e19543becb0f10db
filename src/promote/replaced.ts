import type { Catalogue } from "../catalogue/catalogue.ts";
import { channelFilePath } from "../catalogue/paths.ts";

/**
 * What the files of a change take the place of, path by path; `null` where nothing stands. It belongs to what a proposal
 * says: where it changed, the branch would conflict with the base, and has to be built on it anew.
 */
export function replacedTexts(
  paths: Iterable<string>,
  { channels, modules }: Pick<Catalogue, "channels" | "modules">,
): readonly (string | null)[] {
  const served = [...channels.values()].flatMap(({ name, templates }) =>
    [...templates].map(([module, { file }]) => [channelFilePath(name, module), file.text] as const),
  );
  const said = [...modules.values()].flatMap(({ files }) =>
    [files.holds, files.hotfixes].flatMap((file) => (file === undefined ? [] : [[file.path, file.text] as const])),
  );
  const texts = new Map([...served, ...said]);
  return [...paths].map((path) => texts.get(path) ?? null);
}
