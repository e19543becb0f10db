import { type ChannelKinds, isMandatory } from "./channels.ts";
import type { VersionContent, TemplatePlace } from "./place.ts";
import type { MadeFile } from "./result.ts";
import { conform } from "../conform.ts";
import { parseChannelName, type ChannelName } from "../names.ts";
import { compareText } from "../../document/order.ts";
import { policyPath, SETTINGS_PATH } from "../paths.ts";
import { SCHEMAS, type SchemaKind } from "../schema.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import { readYaml } from "../../document/yaml/read.ts";

/** The content of a repository after an import that the made files depend on. */
interface Imported {
  readonly files: ReadonlyMap<string, SnapshotFile>;
  readonly templates: readonly { readonly place: TemplatePlace; readonly content: VersionContent }[];
  readonly channels: ChannelKinds;
  readonly context: string | undefined;
}

/** The settings and policies that the repository lacks. Existing files do not change. */
export function makeFiles(imported: Imported): readonly MadeFile[] {
  const made = [makeSettings(imported), ...makePolicies(imported)];
  return made.filter(({ path }) => !imported.files.has(path));
}

/** The landscape in a new `kyma-modules.yaml`: an import sees at most one control plane. */
const LANDSCAPE = "dev";
/** The channel of a repository when neither files nor inputs name one: a catalogue must have a channel. */
const ONLY_CHANNEL = "regular";

function makeSettings({ context }: Imported): MadeFile {
  const embedded = context === undefined;
  const controlPlane = embedded ? "{ embedded: true }" : `{ context: ${JSON.stringify(context)} }`;
  const remark = embedded
    ? "embedded: an API server of the demo. Replace it with your own: { context: NAME } or { kubeconfig: PATH }."
    : "the context of the import";
  const lines = [
    "# The landscapes in roll-out order. An import knows one at most: add the others below it.",
    "landscapes:",
    `  - name: ${LANDSCAPE}`,
    `    # ${remark}`,
    `    controlPlane: ${controlPlane}`,
  ];
  const because = embedded
    ? `one landscape, ${LANDSCAPE}, on an embedded control plane`
    : `one landscape, ${LANDSCAPE}: the context ${context}`;
  return madeFile(SETTINGS_PATH, "settings", lines, because);
}

function makePolicies(imported: Imported): readonly MadeFile[] {
  const named = new Set(
    imported.templates.flatMap(({ place: { channel } }) => (channel === undefined ? [] : [channel])),
  );
  const only = named.size + imported.channels.policies.size === 0 ? [parseChannelName(ONLY_CHANNEL)] : [];
  const channels = [...named, ...only.filter((channel) => channel !== undefined)];
  return channels.sort(compareText).map((channel) => makePolicy(channel, new Set(channels), imported));
}

function makePolicy(channel: ChannelName, all: ReadonlySet<string>, imported: Imported): MadeFile {
  const kind = isMandatory(channel, imported.channels) ? "mandatory" : "release";
  const follows = followedBy(channel, all, imported.channels);
  const versions = imported.templates.some(({ place }) => place.channel === channel && place.version.includes("-"))
    ? "any"
    : "release";
  const lines = [
    "# Made by an import from the imported files. Review it before the first promotion.",
    `kind: ${kind}`,
    ...(follows === undefined ? [] : [`follows: ${follows} # versions come from there`]),
    `versions: ${versions}${versions === "any" ? " # some of the imported ones are pre-releases" : ""}`,
    `landscapes: ${importedLandscapes(imported.files)}`,
  ];
  const because = `${kind} channel${follows === undefined ? "" : ` that follows ${follows}`}, versions: ${versions}`;
  return madeFile(policyPath(channel), "channel", lines, because);
}

/** `regular` follows `fast`, as everywhere in Kyma, unless `fast` has another purpose here. */
function followedBy(
  channel: string,
  all: ReadonlySet<string>,
  { policies, mandatory }: ChannelKinds,
): string | undefined {
  const fast = [...policies].find(([name]) => name === "fast")?.[1];
  const exists = fast !== undefined || all.has("fast");
  const usable = fast?.kind !== "mandatory" && fast?.follows === undefined && mandatory !== channel;
  return channel === "regular" && exists && usable ? "fast" : undefined;
}

function importedLandscapes(files: ReadonlyMap<string, SnapshotFile>): string {
  const settings = files.get(SETTINGS_PATH);
  const reading = settings && readYaml(SETTINGS_PATH, settings);
  const value = reading?.kind === "read" ? conform("settings", reading.file).value : undefined;
  return `[${(value?.landscapes.map(({ name }) => JSON.stringify(name)) ?? [LANDSCAPE]).join(", ")}]`;
}

/** A file of our own with these lines. */
export function madeFile(path: string, kind: SchemaKind, lines: readonly string[], because: string): MadeFile {
  const text = [`# yaml-language-server: $schema=${String(SCHEMAS[kind].$id)}`, "format: 1", ...lines, ""].join("\n");
  return { kind: "made", path, text, because };
}
