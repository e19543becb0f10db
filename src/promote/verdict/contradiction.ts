import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { channelFilePath, holdsPath, hotfixesPath } from "../../catalogue/paths.ts";
import type { DeclaredEntry, ModuleHistory } from "../../catalogue/history/history.ts";
import { holdKey, hotfixKey } from "../../catalogue/history/moduleHistory.ts";

/** Why what the files of a module say cannot be relied on, and what to do about it; full sentences. */
export interface Contradiction {
  readonly message: string;
  readonly remedy: string;
}

/**
 * They contradict one another, cannot be read, or are not what the history has, as links, whose targets it does not
 * follow; `undefined` where all is well.
 */
export function contradictionOf(
  catalogue: Catalogue,
  module: ModuleName,
  history: ModuleHistory,
): Contradiction | undefined {
  const remedy = "Correct the files: kyma-modules check says what is wrong.";
  if (catalogue.withheld.has(module)) return { message: `The files of ${module} contradict one another.`, remedy };
  const channelFiles = [...catalogue.channels.keys()].map((channel) => channelFilePath(channel, module));
  const paths = [...channelFiles, holdsPath(module), hotfixesPath(module)];
  const broken = catalogue.findings.find(({ file, severity }) => severity === "error" && paths.includes(file));
  if (broken !== undefined) return { message: `${broken.file} cannot be read.`, remedy };
  const odd = oddPath(catalogue, module, history);
  if (odd === undefined) return undefined;
  const message = `What ${odd} says is not what its history says: a link, or a file that Git does not have.`;
  return { message, remedy: `Commit the file itself at ${odd}, in place of a link.` };
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
  declared: readonly DeclaredEntry<Entry>[],
  keyOf: (entry: Entry) => string,
): boolean {
  const standing = declared.filter(({ to }) => to === undefined).map(({ entry }) => keyOf(entry));
  const textOf = (keys: readonly string[]): string => [...new Set(keys)].sort().join("\n");
  return textOf(said.map(keyOf)) === textOf(standing);
}
