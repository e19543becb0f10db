import { isMandatory, type ChannelKinds } from "./channels.ts";
import { removeServerFields } from "./fields.ts";
import { applyEdits } from "../../document/yaml/edit.ts";
import { fieldAt, textAt } from "../../document/fields.ts";
import { leave, schemaFindings } from "./leftOut.ts";
import type { TermsClaim } from "./modules.ts";
import { channelPlace, type TemplatePlace } from "./place.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { releaseTerms } from "../../kubernetes/releaseMeta.ts";
import type { Incoming } from "./read.ts";
import type { SkippedInput } from "./result.ts";
import { MODULE_NAME_RULE, parseChannelName, parseModuleName, type ModuleName } from "../names.ts";
import { parseVersion, VERSION_RULE } from "../version.ts";

/** A version in one channel of a ModuleReleaseMeta, without its content. */
export interface ReleaseClaim {
  readonly place: TemplatePlace;
  readonly incoming: Incoming;
}

/** The content of one ModuleReleaseMeta of the input. */
interface ReleaseReading {
  readonly claims: readonly ReleaseClaim[];
  readonly terms: readonly TermsClaim[];
  readonly leftOut: readonly SkippedInput[];
}

/** `ModuleReleaseMeta.spec`, valid against its schema. */
interface ImportedSpec {
  readonly channels?: readonly { readonly channel: string; readonly version: string }[];
  readonly mandatory?: { readonly version: string };
}

/** The module of a ModuleReleaseMeta: `spec.moduleName`, else its own name. Empty when it has neither. */
export function releasedModule(value: unknown): string {
  return textAt(value, ["spec", "moduleName"]) ?? textAt(value, ["metadata", "name"]) ?? "";
}

/** Judges one ModuleReleaseMeta of the input. */
export function readReleaseMeta(incoming: Incoming, channels: ChannelKinds): ReleaseReading {
  const object = applyEdits(incoming.value, removeServerFields(incoming.value));
  const problems = schemaFindings("moduleReleaseMeta", object, incoming);
  if (problems.length > 0)
    return nothing(
      leave(incoming, { reason: "invalid", message: "It is not a valid ModuleReleaseMeta." }, { problems }),
    );
  const text = releasedModule(object);
  const module = parseModuleName(text);
  if (module === undefined) {
    return nothing(
      leave(incoming, { reason: "module", message: `${text} is not a module name: use ${MODULE_NAME_RULE}.` }),
    );
  }
  const entries = importedEntries(fieldAt(object, ["spec"]) as ImportedSpec, channels).map((entry) =>
    claimEntry(module, entry, incoming, channels),
  );
  return {
    claims: entries.filter((entry) => "place" in entry),
    terms: [{ ...incoming, module, terms: releaseTerms(object as KubernetesObject) }],
    leftOut: entries.filter((entry) => "reason" in entry),
  };
}

function nothing(leftOut: SkippedInput): ReleaseReading {
  return { claims: [], terms: [], leftOut: [leftOut] };
}

interface ReleaseEntry {
  /** Empty for a mandatory version without a channel. */
  readonly channel: string;
  readonly version: string;
  /** Whether every cluster gets it, and not only the users of the channel. */
  readonly mandatory: boolean;
}

function importedEntries({ channels = [], mandatory }: ImportedSpec, kinds: ChannelKinds): readonly ReleaseEntry[] {
  return [
    ...channels.map((entry) => ({ ...entry, mandatory: false })),
    ...(mandatory === undefined ? [] : [{ ...mandatory, channel: kinds.mandatory ?? "", mandatory: true }]),
  ];
}

function claimEntry(
  module: ModuleName,
  entry: ReleaseEntry,
  incoming: Incoming,
  channels: ChannelKinds,
): ReleaseClaim | SkippedInput {
  const channel = parseChannelName(entry.channel);
  const version = parseVersion(entry.version);
  if (channel === undefined) {
    const taken = "The module is mandatory, but channels/mandatory.yaml is the policy of a release channel.";
    const message = entry.channel === "" ? taken : `The channel ${entry.channel} is reserved by lifecycle-manager.`;
    return leave(incoming, { reason: entry.channel === "" ? "mandatory" : "name", message });
  }
  if (version === undefined) {
    return leave(incoming, {
      reason: "version",
      message: `The channel ${channel} names ${entry.version || "no version"}: use ${VERSION_RULE}.`,
    });
  }
  if (!entry.mandatory && isMandatory(channel, channels)) {
    const message = `Every cluster would get ${module}, because ${channel} is the channel of mandatory modules; now only the users of ${channel} get it. Offer it in another channel, move its users there, and import it again.`;
    return leave(incoming, { reason: "mandatory", message });
  }
  return { place: channelPlace(channel, entry.mandatory, module, version), incoming };
}
