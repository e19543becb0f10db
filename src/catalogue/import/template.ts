import { isMandatory, type ChannelKinds } from "./channels.ts";
import { removeServerFields } from "./fields.ts";
import { applyEdits, type FieldEdit } from "../../document/yaml/edit.ts";
import { textAt } from "../../document/fields.ts";
import { isRefusal, leave, schemaFindings, type ImportRefusal } from "./leftOut.ts";
import {
  channelPlace,
  incomingContent,
  versionPlace,
  write,
  type VersionContent,
  type TemplatePlace,
} from "./place.ts";
import type { Incoming } from "./read.ts";
import type { SkippedInput } from "./result.ts";
import { MODULE_NAME_RULE, parseChannelName, parseModuleName, type ChannelName, type ModuleName } from "../names.ts";
import { DEFAULT_NAMESPACE } from "../settings.ts";
import { MAX_FILE_BYTES } from "../../document/snapshot.ts";
import { templateComponent, MODULE_LABEL, VERSION_ANNOTATION, type ModuleTemplate } from "../template.ts";
import { parseVersion, VERSION_RULE, type ModuleVersion } from "../version.ts";
import { readYaml } from "../../document/yaml/read.ts";

/** A template of the input and its place. */
export interface TemplateClaim {
  readonly place: TemplatePlace;
  readonly content: VersionContent;
}

/** Finds the place of one ModuleTemplate of the input, or the reason why it has none. */
export function claimTemplate(incoming: Incoming, channels: ChannelKinds): TemplateClaim | SkippedInput {
  const cleaning = removeServerFields(incoming.value);
  const object = applyEdits(incoming.value, cleaning) as ModuleTemplate;
  const problems = schemaFindings("moduleTemplate", object, incoming);
  if (problems.length > 0)
    return leave(incoming, { reason: "invalid", message: "It is not a valid ModuleTemplate." }, { problems });
  const module = importedModuleName(object);
  if (isRefusal(module)) return leave(incoming, module);
  const channel = importedChannelName(object, module.name, channels);
  if (isRefusal(channel)) return leave(incoming, channel);
  const version = importedVersion(object);
  if (isRefusal(version)) return leave(incoming, version);
  const edits = [...cleaning, ...fill(object, module, version)];
  const content = incomingContent(incoming, edits, applyEdits(incoming.value, edits) as ModuleTemplate);
  const place =
    channel === undefined
      ? versionPlace(module.name, version.name)
      : channelPlace(channel, isMandatory(channel, channels), module.name, version.name);
  return readBack({ place, content });
}

/** A name from an object, and the field that it is from. */
interface FoundName<T> {
  readonly name: T;
  readonly because: string;
}

const IN_MODULE_NAME = "from spec.moduleName";

/** The module that a template names. */
export function importedModuleName(object: ModuleTemplate): FoundName<ModuleName> | ImportRefusal {
  const direct = textAt(object, ["spec", "moduleName"]);
  const text = direct ?? textAt(object, ["metadata", "labels", MODULE_LABEL]);
  if (text === undefined)
    return {
      reason: "module",
      message: `It names no module: neither spec.moduleName nor the label ${MODULE_LABEL} is set.`,
    };
  const name = parseModuleName(text);
  if (name === undefined)
    return { reason: "module", message: `${text} is not a module name: use ${MODULE_NAME_RULE}.` };
  return { name, because: direct === undefined ? `from the label ${MODULE_LABEL}` : IN_MODULE_NAME };
}

/** The channel of a template; `undefined` for the template of a version. */
function importedChannelName(
  object: ModuleTemplate,
  module: ModuleName,
  channels: ChannelKinds,
): ChannelName | ImportRefusal | undefined {
  const channel = parseChannelName(textAt(object, ["spec", "channel"]) ?? "");
  // Since 1.8, lifecycle-manager reads only from the release meta whether a module is mandatory.
  if (object.spec.mandatory === true && (channel !== undefined || !channels.releaseMetas.has(module)))
    return mandatoryChannel(channel, channels);
  if (channel !== undefined && isMandatory(channel, channels)) {
    const message = `Its channel is one of mandatory modules, which every cluster gets, but spec.mandatory is not true. Set it if every cluster shall get ${module}; else name another channel.`;
    return { reason: "mandatory", message };
  }
  if (channel === undefined || object.metadata.name === `${module}-${channel}`) return channel;
  const message = `Its name is ${object.metadata.name}, but a template of ${module} in the channel ${channel} must be named ${module}-${channel}.`;
  return { reason: "name", message };
}

/** The channel of a mandatory template: the one that it names, if that is mandatory. */
function mandatoryChannel(channel: ChannelName | undefined, channels: ChannelKinds): ChannelName | ImportRefusal {
  if (channel !== undefined && channels.policies.get(channel)?.kind === "mandatory") return channel;
  const message = "It is mandatory, but channels/mandatory.yaml is the policy of a release channel.";
  return channels.mandatory ?? { reason: "mandatory", message };
}

/** The version of a template, from the first of the places where lifecycle-managers look. */
export function importedVersion(object: ModuleTemplate): FoundName<ModuleVersion> | ImportRefusal {
  const places: readonly FoundName<string | undefined>[] = [
    { name: textAt(object, ["spec", "version"]), because: "from spec.version" },
    {
      name: textAt(object, ["metadata", "annotations", VERSION_ANNOTATION]),
      because: `from the annotation ${VERSION_ANNOTATION}`,
    },
    { name: templateComponent(object).version, because: "from the component of spec.descriptor" },
  ];
  const found = places.find(({ name }) => name !== undefined);
  if (found?.name === undefined) {
    return {
      reason: "version",
      message: `It has no version: neither in spec.version, nor in the annotation ${VERSION_ANNOTATION}, nor in its descriptor.`,
    };
  }
  const name = parseVersion(found.name);
  if (name === undefined)
    return { reason: "version", message: `${found.name} (${found.because}) is not a version: use ${VERSION_RULE}.` };
  return { name, because: found.because };
}

/** The edits that fill in the missing fields that a catalogue demands of every template. */
function fill(
  object: ModuleTemplate,
  module: FoundName<ModuleName>,
  version: FoundName<ModuleVersion>,
): readonly FieldEdit[] {
  const wanted: readonly FieldEdit[] = [
    { path: ["metadata", "labels", MODULE_LABEL], value: module.name, because: IN_MODULE_NAME },
    { path: ["metadata", "namespace"], value: DEFAULT_NAMESPACE, because: "where lifecycle-manager looks" },
    { path: ["spec", "version"], value: version.name, because: version.because },
    { path: ["spec", "moduleName"], value: module.name, because: module.because },
  ];
  return wanted.filter(({ path, value }) => textAt(object, path) !== value);
}

/** Refuses a template that a catalogue could not read: too large, or with numbers that YAML parsers read differently. */
function readBack(claim: TemplateClaim): TemplateClaim | SkippedInput {
  const { place, content } = claim;
  const bytes = Buffer.from(write(content, place).text);
  if (bytes.length > MAX_FILE_BYTES) {
    const message = `As a file, it has ${bytes.length} bytes, more than ${MAX_FILE_BYTES}.`;
    return leave(content.incoming, { reason: "invalid", message }, { path: place.path });
  }
  const reading = readYaml(place.path, { kind: "bytes", bytes });
  if (reading.kind === "read") return claim;
  const message = "As a file, it would be ambiguous: YAML parsers read it differently.";
  return leave(content.incoming, { reason: "unreadable", message }, { path: place.path, problems: reading.findings });
}
