import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { channelFilePath } from "../../catalogue/paths.ts";
import type { Declared, ModuleHistory } from "./history.ts";
import { holdsPath, hotfixesPath } from "./intervention.ts";
import { holdKey, hotfixKey } from "./moduleHistory.ts";

/**
 * Why what the files of a module say cannot be relied on, as a full sentence: they contradict one another, cannot be read,
 * or are not what the history has, as links, whose targets it does not follow.
 */
export function contradictionOf(catalogue: Catalogue, module: ModuleName, history: ModuleHistory): string | undefined {
  if (catalogue.withheld.has(module)) return `The files of ${module} contradict one another.`;
  const paths = [holdsPath(module), hotfixesPath(module)];
  const broken = catalogue.findings.find(({ file, severity }) => severity === "error" && paths.includes(file));
  if (broken !== undefined) return `${broken.file} cannot be read.`;
  const odd = oddPath(catalogue, module, history);
  return odd && `What ${odd} says is not what its history says: a link, or a file that Git does not have.`;
}

function oddPath(
  { channels, modules }: Catalogue,
  module: ModuleName,
  { served, holds, hotfixes }: ModuleHistory,
): string | undefined {
  const channel = [...channels.values()].find(
    ({ name, templates }) => templates.get(module)?.version !== served.get(name)?.at(-1)?.version,
  );
  if (channel !== undefined) return channelFilePath(channel.name, module);
  const said = modules.get(module);
  if (!isSame(said?.holds, holds, holdKey)) return holdsPath(module);
  return isSame(said?.hotfixes, hotfixes, hotfixKey) ? undefined : hotfixesPath(module);
}

/** Whether the entries of a file are those that the history has at its end. */
function isSame<Entry>(
  said: readonly Entry[] = [],
  declared: readonly Declared<Entry>[],
  keyOf: (entry: Entry) => string,
): boolean {
  const standing = declared.filter(({ to }) => to === undefined).map(({ entry }) => keyOf(entry));
  const textOf = (keys: readonly string[]): string => [...new Set(keys)].sort().join("\n");
  return textOf(said.map(keyOf)) === textOf(standing);
}
