import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { channelFilePath, holdsPath, hotfixesPath } from "../../catalogue/paths.ts";
import { brokenUnit } from "../../catalogue/usable.ts";
import type { DeclaredEntry, ModuleHistory } from "../../catalogue/history/history.ts";
import { holdKey, hotfixKey } from "../../catalogue/history/moduleHistory.ts";

/** A reason not to rely on the files of a module, and what to do about it; full sentences. */
export interface Contradiction {
  readonly message: string;
  readonly remedy: string;
}

/**
 * Finds files that contradict one another, cannot be read, or differ from the history, as links do, which it does not
 * follow; `undefined` if there are none.
 */
export function fileContradiction(
  catalogue: Catalogue,
  module: ModuleName,
  history: ModuleHistory,
): Contradiction | undefined {
  const remedy = "Correct the files: kyma-modules check says what is wrong.";
  const broken = catalogue.findings.find(
    (finding) =>
      finding.severity === "error" && finding.rule !== "version-content" && brokenUnit(finding)?.module === module,
  );
  if (broken !== undefined) return { message: `${broken.file} cannot be read.`, remedy };
  if (catalogue.withheld.has(module)) return { message: `The files of ${module} contradict one another.`, remedy };
  return unrecorded(catalogue, module, history);
}

/** Finds a file that differs from the history, which then does not tell what was served; `undefined` if there is none. */
export function unrecorded(
  catalogue: Catalogue,
  module: ModuleName,
  history: ModuleHistory,
): Contradiction | undefined {
  const odd = oddPath(catalogue, module, history);
  if (odd === undefined) return undefined;
  const message = `${odd} differs from its history: it is a link, or Git does not have it.`;
  return { message, remedy: `Commit a regular file at ${odd}, not a link.` };
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

/** Whether the entries of a file are those at the end of the history. */
function isSame<Entry>(
  said: readonly Entry[] = [],
  declared: readonly DeclaredEntry<Entry>[],
  keyOf: (entry: Entry) => string,
): boolean {
  const standing = declared.filter(({ to }) => to === undefined).map(({ entry }) => keyOf(entry));
  const textOf = (keys: readonly string[]): string => [...new Set(keys)].sort().join("\n");
  return textOf(said.map(keyOf)) === textOf(standing);
}
