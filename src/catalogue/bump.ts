import { componentOf, MODULE_LABEL, VERSION_ANNOTATION } from "./template.ts";
import { removeServerFields, reportEdit } from "./import/fields.ts";
import { type FieldEdit, editText } from "../document/yaml/edit.ts";
import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import { readInputs, type Incoming } from "./import/read.ts";
import type { EditReport } from "./import/result.ts";
import type { ChannelName, ModuleName } from "./names.ts";
import { channelFilePath } from "./paths.ts";
import { DEFAULT_NAMESPACE } from "./settings.ts";
import type { ModuleVersion } from "./version.ts";

/** The version that a channel is to serve. */
export interface BumpTarget {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  readonly channel: ChannelName;
}

/** A file that holds a template: its name as people know it, and its content. */
export interface BumpOrigin {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The channel file of a bump. */
export interface BumpedFile {
  readonly kind: "file";
  readonly path: string;
  readonly text: string;
  /** In what it is not the template that it was made from. */
  readonly edits: readonly EditReport[];
}

/** The channel file that serves `target`, made from a template; or, for people, why that is not a template of it. */
export function bumpFile(
  target: BumpTarget,
  origin: BumpOrigin,
): BumpedFile | { readonly kind: "refused"; readonly why: string } {
  const { objects, leftOut } = readInputs([{ kind: "file", ...origin }]);
  const [incoming, ...others] = objects.filter(({ kind }) => kind === "ModuleTemplate");
  const refuse = (why: string): { readonly kind: "refused"; readonly why: string } => ({ kind: "refused", why });
  if (incoming === undefined) return refuse(["it holds no ModuleTemplate.", ...leftOut.map(problemText)].join(" "));
  if (others.length > 0)
    return refuse(`it holds ${others.length + 1} ModuleTemplates, and which is meant is not said.`);
  const stranger = strangerIn(incoming.value, target);
  if (stranger !== undefined) return refuse(stranger);
  const edits = [...removeServerFields(incoming.value), ...placeEdits(incoming.value, target)];
  return {
    kind: "file",
    path: channelFilePath(target.channel, target.module),
    text: editText(textOf(incoming), incoming.value, edits),
    edits: edits.map((edit) => reportEdit(incoming.value, edit)),
  };
}

function problemText({ message, problems }: ReturnType<typeof readInputs>["leftOut"][number]): string {
  return [message, ...problems.map((problem) => `Line ${problem.line}: ${problem.message}`)].join(" ");
}

/** Which other module or version it says that it is of. What merely repeats the version is left to the gate. */
function strangerIn(value: unknown, { module, version }: BumpTarget): string | undefined {
  const modules = [
    ["spec", "moduleName"],
    ["metadata", "labels", MODULE_LABEL],
  ].flatMap((path) => textAt(value, path) ?? []);
  const foreign = modules.find((name) => name !== module);
  if (foreign !== undefined) return `it is a template of ${foreign}, and not of ${module}.`;
  if (modules.length === 0) return `it names no module: neither spec.moduleName nor the label ${MODULE_LABEL} is set.`;
  const found = versionOf(value);
  if (found === undefined)
    return "it has no version: neither in spec.version, nor as annotation, nor in its descriptor.";
  return found === version ? undefined : `it is ${module} ${found}, and not ${version}.`;
}

function versionOf(value: unknown): string | undefined {
  const descriptor = fieldAt(value, ["spec", "descriptor"]);
  return (
    textAt(value, ["spec", "version"]) ??
    textAt(value, ["metadata", "annotations", VERSION_ANNOTATION]) ??
    componentOf({ spec: { descriptor: isRecord(descriptor) ? descriptor : {} } }).version
  );
}

/** What the place of the file decides. */
function placeEdits(value: unknown, { module, version, channel }: BumpTarget): readonly FieldEdit[] {
  const because = "its place decides it";
  const wanted: readonly FieldEdit[] = [
    { path: ["metadata", "labels", MODULE_LABEL], value: module, because },
    { path: ["metadata", "namespace"], value: DEFAULT_NAMESPACE, because: "where lifecycle-manager looks" },
    { path: ["metadata", "name"], value: `${module}-${channel}`, because },
    { path: ["spec", "version"], value: version, because: "it says so elsewhere" },
    { path: ["spec", "moduleName"], value: module, because },
    { path: ["spec", "channel"], value: channel, because },
  ];
  return wanted.filter(({ path, value: text }) => fieldAt(value, path) !== text);
}

/** The comment that names the schema to editors counts folders, and a channel file lies elsewhere. */
function textOf({ text }: Incoming): string | undefined {
  return text?.replace(
    /^(# yaml-language-server: \$schema=)(\.\.\/)+(schemas\/moduletemplate\.schema\.json)/m,
    "$1../../$3",
  );
}
