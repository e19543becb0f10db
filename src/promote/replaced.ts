import type { Catalogue } from "../catalogue/catalogue.ts";
import { channelFilePath } from "../catalogue/paths.ts";

/**
 * The texts that the files of a change replace, path by path; `null` for a new file. They are part of a proposal's
 * digest: when one changes, the branch would conflict with the base, and must be rebuilt on it.
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
