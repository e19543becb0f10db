import type { Catalogue } from "./catalogue.ts";
import { parseModuleName, type ModuleName } from "./names.ts";
import type { Parsing } from "./parse.ts";
import { placeOf } from "./paths.ts";

/**
 * What can be served of a repository: everything but the modules that an error is about. An error in any other file, such
 * as the settings or the policy of a channel, concerns all of them: `undefined` then.
 */
export function usableOf(parsing: Parsing): Catalogue | undefined {
  if (parsing.kind === "catalogue") return parsing.catalogue;
  const broken = parsing.findings.filter(({ severity }) => severity === "error").map(({ file }) => moduleIn(file));
  const modules = broken.filter((module) => module !== undefined);
  if (modules.length < broken.length) return undefined;
  const { readable } = parsing;
  return { ...readable, withheld: new Set([...readable.withheld, ...modules]) };
}

function moduleIn(file: string): ModuleName | undefined {
  const place = placeOf(file);
  return place !== undefined && "module" in place ? parseModuleName(place.module) : undefined;
}
