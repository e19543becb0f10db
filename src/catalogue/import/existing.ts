import { isMandatory, type ChannelKinds } from "./channels.ts";
import { incomingContent, channelPlace, versionPlace, type VersionContent, type TemplatePlace } from "./place.ts";
import { cataloguePlace } from "../paths.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import type { Template } from "../template.ts";
import { readChannelTemplate, readVersionTemplate } from "../templateFile.ts";
import { readYaml } from "../../document/yaml/read.ts";

/** A template that is already in the repository. */
export interface ExistingTemplate {
  readonly place: TemplatePlace;
  readonly content: VersionContent;
}

/** The templates of a repository, by path; `undefined` for an unreadable file. */
export type ExistingTemplates = ReadonlyMap<string, ExistingTemplate | undefined>;

/** Reads the templates of a repository. A broken file keeps its place and is not changed. */
export function readExisting(
  files: ReadonlyMap<string, SnapshotFile>,
  changedMs: ReadonlyMap<string, number>,
  channels: ChannelKinds,
): ExistingTemplates {
  return new Map(
    [...files].flatMap(([path, content]): [string, ExistingTemplate | undefined][] => {
      const place = cataloguePlace(path);
      if (place?.kind !== "channel-template" && place?.kind !== "version-template") return [];
      const template = readTemplate(path, content, place);
      return [[path, template && existing(template, changedMs.get(path), channels)]];
    }),
  );
}

function readTemplate(
  path: string,
  content: SnapshotFile,
  place:
    | { readonly kind: "channel-template"; readonly channel: string; readonly module: string }
    | { readonly kind: "version-template"; readonly module: string; readonly version: string },
): Template | undefined {
  const reading = readYaml(path, content);
  if (reading.kind === "refused") return undefined;
  const { template } =
    place.kind === "channel-template"
      ? readChannelTemplate(reading.file, place.channel, place.module)
      : readVersionTemplate(reading.file, place.module, place.version);
  return template;
}

function existing(template: Template, changedMs: number | undefined, channels: ChannelKinds): ExistingTemplate {
  const { module, version, channel, file, object } = template;
  const incoming = {
    kind: "ModuleTemplate",
    source: file.path,
    value: file.value,
    text: file.text,
    file,
    at: [],
    changedMs,
  } as const;
  const place =
    channel === undefined
      ? versionPlace(module, version)
      : channelPlace(channel, isMandatory(channel, channels), module, version);
  return { place, content: incomingContent(incoming, [], object) };
}
