import type { Catalogue } from "./catalogue.ts";
import type { ModuleName } from "./names.ts";
import { channelFilePath } from "./paths.ts";
import type { HistoricFile } from "../document/snapshot.ts";
import type { Template } from "./template.ts";
import { readChannelTemplate } from "./templateFile.ts";
import type { ModuleVersion } from "./version.ts";
import { readYaml } from "../document/yaml/read.ts";

/**
 * The template of `version` as the repository has it at head: a channel's file, else `modules/…/template.yaml`.
 * Gives `undefined` when only history can tell.
 */
export function lookUpAtHead(catalogue: Catalogue, module: ModuleName, version: ModuleVersion): Template | undefined {
  for (const { templates } of catalogue.channels.values()) {
    const template = templates.get(module);
    if (template?.version === version) return template;
  }
  return catalogue.modules.get(module)?.templates.get(version);
}

/** The paths under which history may know a version of `module`. */
export function historicPaths(catalogue: Catalogue, module: ModuleName): readonly string[] {
  return [...catalogue.channels.keys()].map((channel) => channelFilePath(channel, module));
}

/**
 * The template of `version` in the history of the channel files: the newest content that has it.
 * A file that was broken at the time is passed over: it was never served.
 */
export function lookUpInHistory(
  files: readonly HistoricFile[],
  module: ModuleName,
  version: ModuleVersion,
): Template | undefined {
  for (const { path, bytes } of files) {
    // Most contents of a history are of other versions: a look at the text costs a hundredth of reading it.
    if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(version)) continue;
    const reading = readYaml(path, { kind: "bytes", bytes });
    if (reading.kind === "refused") continue;
    const { template } = readChannelTemplate(reading.file, path.split("/")[1] ?? "", module);
    if (template?.version === version) return template;
  }
  return undefined;
}

/** All templates of a catalogue: of the channels, then of the folders of versions. */
export function allTemplates({ channels, modules }: Catalogue): readonly Template[] {
  return [...channels.values(), ...modules.values()].flatMap(({ templates }) => [...templates.values()]);
}
