import type { ChannelName, ModuleName } from "./names.ts";
import { channelFilePath } from "./paths.ts";
import type { HistoricFile } from "../document/snapshot.ts";
import { specHash, type Template } from "./template.ts";
import { readChannelTemplate } from "./templateFile.ts";
import type { ModuleVersion } from "./version.ts";
import { readYaml } from "../document/yaml/read.ts";

/** One content that a channel file had. */
export interface Served {
  readonly channel: ChannelName;
  readonly version: ModuleVersion;
  /** `specHash` of the content. */
  readonly hash: string;
  /** The commit that brought it. */
  readonly revision: string;
}

/**
 * What the channels served of `module`, newest first, by the contents that its channel files had.
 * A content that was broken at the time is passed over: it was never served. `now` is what a channel serves today: most
 * contents of a history are the newest ones, which need not be read again.
 */
export function servedOf(
  files: readonly HistoricFile[],
  module: ModuleName,
  channels: readonly ChannelName[],
  now: (channel: ChannelName) => Template | undefined,
): readonly Served[] {
  const places = new Map(channels.map((channel) => [channelFilePath(channel, module), channel]));
  return files.flatMap(({ path, bytes, revision }): Served[] => {
    const channel = places.get(path);
    if (channel === undefined) return [];
    const current = now(channel);
    const template = isContentOf(current, bytes) ? current : templateIn(path, bytes, channel, module);
    return template === undefined
      ? []
      : [{ channel, version: template.version, hash: specHash(template.object), revision }];
  });
}

function isContentOf(template: Template | undefined, bytes: Uint8Array): boolean {
  return template?.file.text === Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

function templateIn(path: string, bytes: Uint8Array, channel: ChannelName, module: ModuleName): Template | undefined {
  const reading = readYaml(path, { kind: "bytes", bytes });
  return reading.kind === "read" ? readChannelTemplate(reading.file, channel, module).template : undefined;
}
