import type { Catalogue } from "./catalogue.ts";
import type { HistoryScope, ServedState, ServedStates } from "./history/history.ts";
import type { ChannelName, ModuleName } from "./names.ts";
import { channelFilePath } from "./paths.ts";
import type { Template } from "./template.ts";
import type { ModuleVersion } from "./version.ts";

/**
 * The template of `version` at head: a channel's file, else `modules/…/template.yaml`. `undefined` when only the history
 * can have it.
 */
export function lookUpAtHead(catalogue: Catalogue, module: ModuleName, version: ModuleVersion): Template | undefined {
  for (const { templates } of catalogue.channels.values()) {
    const template = templates.get(module);
    if (template?.version === version) return template;
  }
  return catalogue.modules.get(module)?.templates.get(version);
}

/** The key of a version in maps: `<module> <version>`. */
export function versionKey({ module, version }: Pick<Template, "module" | "version">): string {
  return `${module} ${version}`;
}

/** The modules that channels serve, by name. */
export function servedModules({ channels }: Catalogue): readonly ModuleName[] {
  return [...new Set([...channels.values()].flatMap(({ templates }) => [...templates.keys()]))].sort();
}

/** The message for a module that no channel serves. */
export function unservedText(module: string, served: readonly string[]): string {
  return `No channel serves the module ${module}. Served modules: ${served.join(", ") || "none"}.`;
}

/** The message for a channel that does not exist. */
export function unknownChannelText(channel: string, channels: Iterable<string>): string {
  return `There is no channel ${channel}. Channels: ${[...channels].join(", ") || "none"}.`;
}

/** The part of a history that shows which versions of `modules` all channels served, also those that were removed. */
export function servedScope(modules: readonly ModuleName[]): HistoryScope {
  const paths = modules.map((module) => channelFilePath("*", module));
  return { paths, wants: () => true, everyCommit: false };
}

/** The states of all channels, newest first. */
export function newestFirst(served: ServedStates): readonly (ServedState & { readonly channel: ChannelName })[] {
  const states = [...served].flatMap(([channel, own]) => own.map((state) => ({ channel, ...state })));
  return states.sort((a, b) => b.revision.index - a.revision.index);
}

/** The newest template of `version` that any channel served; `undefined` when none did. */
export function lookUpInHistory(served: ServedStates, version: ModuleVersion): Template | undefined {
  return newestFirst(served)
    .find((state) => state.version === version)
    ?.template();
}

/** All templates of a catalogue: those of the channels, then those of the version folders. */
export function allTemplates({ channels, modules }: Catalogue): readonly Template[] {
  return [...channels.values(), ...modules.values()].flatMap(({ templates }) => [...templates.values()]);
}
