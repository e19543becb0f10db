import { templateComponent, MODULE_LABEL, VERSION_ANNOTATION } from "./template.ts";
import { removeServerFields, reportEdit } from "./import/fields.ts";
import { type FieldEdit, editText } from "../document/yaml/edit.ts";
import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import { readInputs } from "./import/read.ts";
import type { EditReport } from "./import/result.ts";
import type { ChannelName, ModuleName } from "./names.ts";
import { channelFilePath } from "./paths.ts";
import { DEFAULT_NAMESPACE } from "./settings.ts";
import type { ModuleVersion } from "./version.ts";

/** The version that a channel will serve. */
export interface BumpTarget {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  readonly channel: ChannelName;
}

/** A file that holds a template: its name for display, and its content. */
export interface BumpOrigin {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The channel file of a bump. */
export interface BumpedFile {
  readonly kind: "file";
  readonly path: string;
  readonly text: string;
  /** The differences from the original template. */
  readonly edits: readonly EditReport[];
}

/** The channel file that serves `target`, made from a template; or the reason, for display, why the template is wrong. */
export function bumpFile(
  target: BumpTarget,
  origin: BumpOrigin,
): BumpedFile | { readonly kind: "refused"; readonly why: string } {
  const { objects, leftOut } = readInputs([{ kind: "file", ...origin }]);
  const [incoming, ...others] = objects.filter(({ kind }) => kind === "ModuleTemplate");
  const refuse = (why: string): { readonly kind: "refused"; readonly why: string } => ({ kind: "refused", why });
  if (incoming === undefined) {
    const problems = leftOut.flatMap(({ message, problems: lines }) => [
      message,
      ...lines.map((problem) => `Line ${problem.line}: ${problem.message}`),
    ]);
    return refuse(["it contains no ModuleTemplate.", ...problems].join(" "));
  }
  if (others.length > 0) return refuse(`it contains ${others.length + 1} ModuleTemplates: expected one.`);
  const mismatch = mismatchWith(incoming.value, target);
  if (mismatch !== undefined) return refuse(mismatch);
  const edits = [...removeServerFields(incoming.value), ...placeEdits(incoming.value, target)];
  // The schema comment, which is for editors, is adapted to the folder of a channel file.
  const text = incoming.text?.replace(
    /^(# yaml-language-server: \$schema=)(\.\.\/)+(schemas\/moduletemplate\.schema\.json)/m,
    "$1../../$3",
  );
  return {
    kind: "file",
    path: channelFilePath(target.channel, target.module),
    text: editText(text, incoming.value, edits),
    edits: edits.map((edit) => reportEdit(incoming.value, edit)),
  };
}

/** Why the template is not for the module and version of the bump. Other fields with the version are left to the gate. */
function mismatchWith(value: unknown, { module, version }: BumpTarget): string | undefined {
  const modules = [
    ["spec", "moduleName"],
    ["metadata", "labels", MODULE_LABEL],
  ].flatMap((path) => textAt(value, path) ?? []);
  const foreign = modules.find((name) => name !== module);
  if (foreign !== undefined) return `it is a template of ${foreign}, not of ${module}.`;
  if (modules.length === 0) return `it names no module: neither spec.moduleName nor the label ${MODULE_LABEL} is set.`;
  const found = statedVersion(value);
  if (found === undefined)
    return "it has no version: neither in spec.version, nor in an annotation, nor in its descriptor.";
  return found === version ? undefined : `it is ${module} ${found}, not ${version}.`;
}

function statedVersion(value: unknown): string | undefined {
  const descriptor = fieldAt(value, ["spec", "descriptor"]);
  return (
    textAt(value, ["spec", "version"]) ??
    textAt(value, ["metadata", "annotations", VERSION_ANNOTATION]) ??
    templateComponent({ spec: { descriptor: isRecord(descriptor) ? descriptor : {} } }).version
  );
}

/** The edits that set the fields that depend on the place of the file. */
function placeEdits(value: unknown, { module, version, channel }: BumpTarget): readonly FieldEdit[] {
  const because = "its place decides it";
  const wanted: readonly FieldEdit[] = [
    { path: ["metadata", "labels", MODULE_LABEL], value: module, because },
    { path: ["metadata", "namespace"], value: DEFAULT_NAMESPACE, because: "where lifecycle-manager looks" },
    { path: ["metadata", "name"], value: `${module}-${channel}`, because },
    { path: ["spec", "version"], value: version, because: "from another field of the template" },
    { path: ["spec", "moduleName"], value: module, because },
    { path: ["spec", "channel"], value: channel, because },
  ];
  return wanted.filter(({ path, value: text }) => fieldAt(value, path) !== text);
}
