import { hashOf } from "../../document/canonical.ts";
import { applyEdits, type FieldEdit, editText } from "../../document/yaml/edit.ts";
import { fieldAt } from "../../document/fields.ts";
import type { Incoming } from "./read.ts";
import type { ChannelName, ModuleName } from "../names.ts";
import { channelFilePath, versionTemplatePath } from "../paths.ts";
import { specHash, type ModuleTemplate } from "../template.ts";
import type { ModuleVersion } from "../version.ts";

/** Where a template stands in a repository. */
export interface TemplatePlace {
  readonly path: string;
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** `undefined` for the template of a version. */
  readonly channel: ChannelName | undefined;
  /** Whether its channel is mandatory. */
  readonly mandatory: boolean;
}

/** The content of one version, and the text that it is made from. */
export interface VersionContent {
  readonly incoming: Incoming;
  /** What makes `incoming` a template of a catalogue, wherever it goes. */
  readonly edits: readonly FieldEdit[];
  readonly object: ModuleTemplate;
  /** Equal for contents that an import takes for one: see `specKey`. */
  readonly specKey: string;
  /** `specHash`: equal when labels and annotations are equal as well. */
  readonly contentHash: string;
}

/** Labels by which lifecycle-manager installs or uninstalls. */
export const EFFECTIVE_LABELS: readonly string[] = [
  "operator.kyma-project.io/beta",
  "operator.kyma-project.io/internal",
];

/** `object` as content; with `edits` on `incoming` it is what `object` says. */
export function contentOf(incoming: Incoming, edits: readonly FieldEdit[], object: ModuleTemplate): VersionContent {
  return { incoming, edits, object, specKey: specKey(object), contentHash: specHash(object) };
}

/**
 * Equal exactly for equal specs, without channel and `mandatory`, which say where a version is served, and not what it
 * is. Of the labels and annotations only those count by which lifecycle-manager acts: teams stamp the others on the
 * same version at different times (`managed-by`, `source`), and no cluster would notice.
 */
function specKey({ metadata, spec: { channel: _channel, mandatory: _mandatory, ...spec } }: ModuleTemplate): string {
  return hashOf({ spec, labels: EFFECTIVE_LABELS.map((label) => metadata.labels?.[label]) });
}

/** The place of `module` in `channel`. */
export function channelPlace(
  channel: ChannelName,
  mandatory: boolean,
  module: ModuleName,
  version: ModuleVersion,
): TemplatePlace {
  return { path: channelFilePath(channel, module), module, version, channel, mandatory };
}

/** The place of a version. */
export function versionPlace(module: ModuleName, version: ModuleVersion): TemplatePlace {
  return { path: versionTemplatePath(module, version), module, version, channel: undefined, mandatory: false };
}

/** The text of `content` at `place`, and all edits that lead there. */
export function write(
  content: VersionContent,
  place: TemplatePlace,
): { readonly text: string; readonly edits: readonly FieldEdit[] } {
  const { value, text } = content.incoming;
  const edits = [...content.edits, ...placeEdits(content, place)];
  return { text: editText(text, value, edits), edits };
}

function placeEdits(
  { incoming, edits }: VersionContent,
  { module, version, channel, mandatory }: TemplatePlace,
): readonly FieldEdit[] {
  const object = applyEdits(incoming.value, edits);
  const wanted: readonly FieldEdit[] = [
    { path: ["metadata", "name"], value: `${module}-${channel ?? version}`, because: "named after its place" },
    {
      path: ["spec", "channel"],
      value: channel,
      because: channel === undefined ? "a version stands in no channel" : "from its place",
    },
  ];
  const contradiction = !mandatory && fieldAt(object, ["spec", "mandatory"]) === true;
  return [
    ...wanted.filter(({ path, value }) => fieldAt(object, path) !== value),
    ...(contradiction
      ? [{ path: ["spec", "mandatory"], value: undefined, because: "it is not in a mandatory channel" }]
      : []),
  ];
}

/** Which labels and annotations of `other` are not those of `content`; empty when they are equal. */
export function differences(content: VersionContent, other: VersionContent): readonly string[] {
  const entries = (object: ModuleTemplate): readonly string[] =>
    ["labels", "annotations"].flatMap((map) =>
      Object.entries(fieldAt(object, ["metadata", map]) ?? {}).map(
        ([key, value]) => `metadata.${map} ${key}: ${String(value)}`,
      ),
    );
  const mine = new Set(entries(content.object));
  const theirs = entries(other.object);
  return [
    ...theirs.filter((entry) => !mine.has(entry)).map((entry) => `with ${entry}`),
    ...[...mine].filter((entry) => !theirs.includes(entry)).map((entry) => `without ${entry}`),
  ];
}

/** How many labels and annotations `content` has. */
export function stampCount({ object: { metadata } }: VersionContent): number {
  return [metadata.labels, metadata.annotations].flatMap((map) => Object.keys({ ...map })).length;
}
