import { type ChannelKinds, isMandatory } from "./channels.ts";
import type { VersionContent, TemplatePlace } from "./place.ts";
import type { MadeFile } from "./result.ts";
import type { Restrictions } from "../../kubernetes/releaseMeta.ts";
import { conform } from "../conform.ts";
import { parseChannelName, type ChannelName, type ModuleName } from "../names.ts";
import { compareText } from "../../document/order.ts";
import { policyPath, SETTINGS_PATH, modulePath } from "../paths.ts";
import { SCHEMAS, validate, type SchemaKind } from "../schema.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import { componentOf } from "../template.ts";
import { compareVersions } from "../version.ts";
import { readYaml } from "../../document/yaml/read.ts";

/** The content of a repository after an import that the made files depend on. */
interface Imported {
  readonly files: ReadonlyMap<string, SnapshotFile>;
  readonly templates: readonly { readonly place: TemplatePlace; readonly content: VersionContent }[];
  readonly channels: ChannelKinds;
  /** The OCM components that ModuleReleaseMetas name. */
  readonly components: readonly { readonly module: ModuleName; readonly name: string }[];
  /** The restrictions in ModuleReleaseMetas on who is offered a module. */
  readonly restrictions: readonly { readonly module: ModuleName; readonly fields: Restrictions }[];
  readonly context: string | undefined;
}

/** The settings, policies and module files that the repository lacks. Existing files do not change. */
export function makeFiles(imported: Imported): readonly MadeFile[] {
  const made = [makeSettings(imported), ...makePolicies(imported), ...makeModules(imported)];
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
  return made(SETTINGS_PATH, "settings", lines, because);
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
    `landscapes: ${landscapesOf(imported.files)}`,
  ];
  const because = `${kind} channel${follows === undefined ? "" : ` that follows ${follows}`}, versions: ${versions}`;
  return made(policyPath(channel), "channel", lines, because);
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

function landscapesOf(files: ReadonlyMap<string, SnapshotFile>): string {
  const settings = files.get(SETTINGS_PATH);
  const reading = settings && readYaml(SETTINGS_PATH, settings);
  const value = reading?.kind === "read" ? conform("settings", reading.file).value : undefined;
  return `[${(value?.landscapes.map(({ name }) => JSON.stringify(name)) ?? [LANDSCAPE]).join(", ")}]`;
}

function makeModules({ templates, components, restrictions }: Imported): readonly MadeFile[] {
  const modules = Map.groupBy(templates, ({ place }) => place.module);
  return [...modules]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([module, same]) => {
      const component = componentLine(module, same, components);
      const restricted = restrictionLines(module, restrictions);
      const lines = [...component.map(({ line }) => line), ...restricted];
      if (lines.length === 0) return [];
      const offered = restricted.length === 0 ? [] : ["restrictions on who is offered it, from the ModuleReleaseMeta"];
      const because = [...component.map((one) => one.because), ...offered].join("; ");
      return [made(modulePath(module), "module", lines, because)];
    });
}

interface ReasonedLine {
  readonly line: string;
  readonly because: string;
}

function componentLine(
  module: ModuleName,
  same: Imported["templates"],
  components: Imported["components"],
): readonly ReasonedLine[] {
  const declared = new Set(components.filter((component) => component.module === module).map(({ name }) => name));
  const [newest] = same
    .toSorted((a, b) => compareVersions(b.place.version, a.place.version))
    .flatMap(({ content }) => componentOf(content.object).name ?? []);
  const [name] = declared.size === 1 ? declared : [newest];
  if (name === undefined || validate("module", { format: 1, ocmComponentName: name }).length > 0) return [];
  const from = declared.size === 1 ? "the ModuleReleaseMeta" : "the descriptor of the highest version";
  return [{ line: `ocmComponentName: ${name}`, because: `OCM component ${name}, from ${from}` }];
}

/** As JSON, which is YAML. None when two ModuleReleaseMetas of a module differ: then `sync` refuses to change them. */
function restrictionLines(module: ModuleName, restrictions: Imported["restrictions"]): readonly string[] {
  const own = restrictions.filter((one) => one.module === module).map(({ fields }) => JSON.stringify(fields));
  const [only] = new Set(own);
  if (only === undefined || new Set(own).size > 1) return [];
  return Object.entries(JSON.parse(only) as Restrictions).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
}

function made(path: string, kind: SchemaKind, lines: readonly string[], because: string): MadeFile {
  const text = [`# yaml-language-server: $schema=${String(SCHEMAS[kind].$id)}`, "format: 1", ...lines, ""].join("\n");
  return { kind: "made", path, text, because };
}
