import type { Catalogue } from "./catalogue.ts";
import { parseChannelName, parseModuleName, type ChannelName, type ModuleName } from "./names.ts";
import type { Parsing } from "./parse.ts";
import { cataloguePlace } from "./paths.ts";
import type { Finding } from "../document/finding.ts";

/**
 * The part of a repository that can be served: everything except modules and channels with errors. An error in any other
 * file, such as the settings, affects all modules: `undefined` then.
 */
export function usableCatalogue(parsing: Parsing): Catalogue | undefined {
  if (parsing.kind === "catalogue") return parsing.catalogue;
  const errors = parsing.findings.filter(({ severity }) => severity === "error");
  const units = errors.flatMap((error) => brokenUnit(error) ?? []);
  if (units.length < errors.length) return undefined;
  const { readable } = parsing;
  const broken = new Set(units.flatMap(({ channel }) => channel ?? []));
  const modules = units.flatMap(({ module }) => module ?? []);
  const lost = [...broken].map((channel) => {
    const served = readable.channels.get(channel)?.templates.keys() ?? readable.withheldChannels.get(channel) ?? [];
    return [channel, new Set(served)] as const;
  });
  return {
    ...readable,
    channels: new Map([...readable.channels].filter(([channel]) => !broken.has(channel))),
    withheld: new Set([...readable.withheld, ...modules]),
    withheldChannels: new Map(lost),
  };
}

/** The modules to leave as they are on a control plane: those with errors, and those of channels with errors. */
export function heldModules({
  withheld,
  withheldChannels,
}: Pick<Catalogue, "withheld" | "withheldChannels">): ReadonlySet<ModuleName> {
  return new Set([...withheld, ...[...withheldChannels.values()].flatMap((modules) => [...modules])]);
}

/** What an error affects: a module, a channel, or nothing else, if its file is named after neither. */
interface BrokenUnit {
  readonly module?: ModuleName | undefined;
  readonly channel?: ChannelName | undefined;
}

/** What an error affects; `undefined` if it is everything. */
export function brokenUnit({ file, rule }: Pick<Finding, "file" | "rule">): BrokenUnit | undefined {
  const [root, first = "", second] = file.split("/");
  const named = first.replace(/\.yaml$/, "");
  if (root === "modules" && first !== "") return { module: parseModuleName(first) };
  // A link in place of a channel's folder hides which modules it serves.
  if (root !== "channels" || cataloguePlace(file)?.kind === "folder") return undefined;
  if (second === undefined || rule === "channel-policy") return { channel: parseChannelName(named) };
  return { module: parseModuleName(second.replace(/\.yaml$/, "")) };
}
