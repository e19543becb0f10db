import { canonicalHash } from "../../document/canonical.ts";
import { applyEdits, type FieldEdit, editText } from "../../document/yaml/edit.ts";
import { fieldAt } from "../../document/fields.ts";
import type { Incoming } from "./read.ts";
import type { ChannelName, ModuleName } from "../names.ts";
import { channelFilePath, versionTemplatePath } from "../paths.ts";
import { specHash, type ModuleTemplate } from "../template.ts";
import type { ModuleVersion } from "../version.ts";

/** The place of a template in a repository. */
export interface TemplatePlace {
  readonly path: string;
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** `undefined` for the template of a version. */
  readonly channel: ChannelName | undefined;
  /** Whether its channel is mandatory. */
  readonly mandatory: boolean;
}

/** The content of one version, and its original text. */
export interface VersionContent {
  readonly incoming: Incoming;
  /** The edits that make `incoming` a template of a catalogue, in any place. */
  readonly edits: readonly FieldEdit[];
  readonly object: ModuleTemplate;
  /** Equal for contents that an import treats as one: see `specKey`. */
  readonly specKey: string;
  /** `specHash`: equal when labels and annotations are equal as well. */
  readonly contentHash: string;
}

/** Labels that make lifecycle-manager install or uninstall a module. */
export const EFFECTIVE_LABELS: readonly string[] = [
  "operator.kyma-project.io/beta",
  "operator.kyma-project.io/internal",
];

/** `object`, the result of `edits` on `incoming`, as content. */
export function incomingContent(
  incoming: Incoming,
  edits: readonly FieldEdit[],
  object: ModuleTemplate,
): VersionContent {
  return { incoming, edits, object, specKey: specKey(object), contentHash: specHash(object) };
}

/**
 * Equal only for equal specs, without channel and `mandatory`, which depend on the place and not on the version. Of the
 * labels and annotations, only those with an effect on lifecycle-manager count: teams set the others (`managed-by`,
 * `source`) on the same version at different times, without an effect on clusters.
 */
function specKey({ metadata, spec: { channel: _channel, mandatory: _mandatory, ...spec } }: ModuleTemplate): string {
  return canonicalHash({ spec, labels: EFFECTIVE_LABELS.map((label) => metadata.labels?.[label]) });
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

/** The text of `content` at `place`, and all edits that it took. */
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
      because: channel === undefined ? "a version has no channel" : "from its place",
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

/** The labels and annotations in which `other` differs from `content`; empty when they are equal. */
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

/** The number of labels and annotations of `content`. */
export function stampCount({ object: { metadata } }: VersionContent): number {
  return [metadata.labels, metadata.annotations].flatMap((map) => Object.keys({ ...map })).length;
}
