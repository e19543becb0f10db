import type { Catalogue, Channel } from "../../catalogue/catalogue.ts";
import { parseModuleName, type ModuleName } from "../../catalogue/names.ts";
import { channelFilePath, placeOf, policyPath } from "../../catalogue/paths.ts";
import { isBroken } from "../../document/finding.ts";
import type { Facts } from "../facts.ts";

/** The modules of the channel files that cannot be read. */
export function brokenEntries({ findings }: Catalogue): readonly ModuleName[] {
  return findings.flatMap(({ file }) => {
    const place = placeOf(file);
    const isEntry = place?.kind === "channel-template" && isBroken({ findings }, file);
    return isEntry ? (parseModuleName(place.module) ?? []) : [];
  });
}

/**
 * The base as its clusters have it: an entry whose file, or the policy of whose channel, cannot be read is the one that
 * the channel served last. A channel with such a policy is taken from the head. An unknown history restores nothing.
 */
export function withLastServed(base: Catalogue, head: Catalogue, history: Facts["history"]): Catalogue {
  if (history.kind === "unknown" || base.findings.length === 0) return base;
  const restored = ({ name, templates }: Channel): Channel["templates"] => {
    const lost = [...history.value].flatMap(([module, served]) => {
      const isLost = [channelFilePath(name, module), policyPath(name)].some((path) => isBroken(base, path));
      const template = isLost ? served.get(name)?.at(-1)?.template() : undefined;
      return template === undefined ? [] : [[module, template] as const];
    });
    return new Map([...lost, ...templates]);
  };
  const unruled = [...head.channels.values()].filter(({ name }) => isBroken(base, policyPath(name)));
  const channels = [...unruled.map((channel) => ({ ...channel, templates: new Map() })), ...base.channels.values()];
  return {
    ...base,
    channels: new Map(channels.map((channel) => [channel.name, { ...channel, templates: restored(channel) }])),
  };
}
