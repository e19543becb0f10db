import type { Catalogue } from "./catalogue.ts";
import { parseModuleName } from "./names.ts";
import type { Parsing } from "./parse.ts";
import { placeOf } from "./paths.ts";

/**
 * The part of a repository that can be served: everything except modules with errors. An error in any other file, such as
 * the settings or the policy of a channel, affects all modules: `undefined` then.
 */
export function usableOf(parsing: Parsing): Catalogue | undefined {
  if (parsing.kind === "catalogue") return parsing.catalogue;
  const errors = parsing.findings.filter(({ severity }) => severity === "error");
  const broken = errors.map(({ file }) => {
    const place = placeOf(file);
    return place !== undefined && "module" in place ? parseModuleName(place.module) : undefined;
  });
  const modules = broken.filter((module) => module !== undefined);
  if (modules.length < broken.length) return undefined;
  const { readable } = parsing;
  return { ...readable, withheld: new Set([...readable.withheld, ...modules]) };
}
