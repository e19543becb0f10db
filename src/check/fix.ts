import { CODEOWNERS_PATH, codeownersText } from "../catalogue/codeowners.ts";
import type { Finding } from "../document/finding.ts";
import { applyEdits, type FieldEdit, editInPlace } from "../document/yaml/edit.ts";
import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import { parseChannelName, parseModuleName } from "../catalogue/names.ts";
import { type Place, placeOf } from "../catalogue/paths.ts";
import type { SchemaKind } from "../catalogue/schema.ts";
import { DEFAULT_NAMESPACE } from "../catalogue/settings.ts";
import type { SnapshotFile } from "../document/snapshot.ts";
import { MODULE_LABEL, VERSION_ANNOTATION } from "../catalogue/template.ts";
import { parseVersion } from "../catalogue/version.ts";
import { readYaml } from "../document/yaml/read.ts";
import { quoteTexts } from "../catalogue/quoteTexts.ts";
import { RESOURCES } from "../kubernetes/object.ts";
import type { Context } from "./context.ts";

/** The new text of a file. */
export interface Fix {
  readonly path: string;
  readonly text: string;
}

const QUOTABLE = "yaml-ambiguous";
const PLACED: ReadonlySet<string> = new Set([
  "place-name",
  "place-channel",
  "place-module",
  "template-version-copy",
  "template-namespace",
]);

/** Whether `fixesOf` may have something to say to a finding. */
export function isMechanical({ rule }: Finding): boolean {
  return rule === QUOTABLE || rule === "ownership-codeowners" || PLACED.has(rule);
}

/**
 * The files that mend what is mechanical of `findings`: what has one right value, which the rest of the repository says.
 * Comments, order and layout stay. `spec.version` is never touched.
 *
 * Takes:  `files`, the files of the head that have such findings.
 * Gives:  nothing for a file that is right already, so that a second run changes nothing. What the rules could not see
 *         behind a file that was unreadable comes to light in the next run.
 */
export function fixesOf(
  context: Context,
  findings: readonly Finding[],
  files: ReadonlyMap<string, SnapshotFile>,
): readonly Fix[] {
  const byFile = Map.groupBy(findings.filter(isMechanical), ({ file }) => file);
  return [...byFile].flatMap(([path, inFile]): readonly Fix[] => {
    if (path === CODEOWNERS_PATH) return [{ path, text: codeowners(context) }];
    const content = files.get(path);
    if (content?.kind !== "bytes") return [];
    const text = new TextDecoder().decode(content.bytes);
    const mended = withUnixLines(text, (lines) => mend(path, lines, inFile));
    return mended === text ? [] : [{ path, text: mended }];
  });
}

function codeowners({ head, facts }: Context): string {
  const found = facts.codeowners ?? "";
  const wanted = codeownersText(head, found.replaceAll("\r\n", "\n"));
  return found.includes("\r\n") ? wanted.replaceAll("\n", "\r\n") : wanted;
}

function mend(path: string, text: string, findings: readonly Finding[]): string {
  const place = placeOf(path);
  const kind = place && schemaOf(place);
  if (kind === undefined) return text;
  const quoted = findings.some(({ rule }) => rule === QUOTABLE) ? quoteTexts(text, kind) : text;
  const reading = readYaml(path, { kind: "bytes", bytes: Buffer.from(quoted) });
  return kind === "moduleTemplate" && reading.kind === "read" ? fixTemplate(path, quoted, reading.file.value) : quoted;
}

function schemaOf(place: Place): SchemaKind | undefined {
  switch (place.kind) {
    case "settings":
    case "module":
    case "holds":
    case "hotfixes":
      return place.kind;
    case "policy":
      return "channel";
    case "channel-template":
    case "version-template":
      return "moduleTemplate";
    case "stray":
    case "folder":
      return undefined;
  }
}

/** Edits `text` with line feeds only, and puts its own line ends back. A text that mixes them stays as it is. */
function withUnixLines(text: string, editText: (text: string) => string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.replaceAll("\r\n", "\n");
  if (lines.replaceAll("\n", end) !== text) return text;
  const isClosed = lines.endsWith("\n");
  const edited = editText(isClosed ? lines : `${lines}\n`);
  return (isClosed ? edited : edited.slice(0, -1)).replaceAll("\n", end);
}

/**
 * The text of a template after all that its place decides. Takes lines that end with a line feed, the last one, too.
 * A field that cannot be written without laying out the file anew stays as it is.
 */
export function fixTemplate(path: string, text: string, value: unknown): string {
  let [mended, object] = [text, value];
  for (const edit of templateEdits(path, value)) {
    const next = editInPlace(mended, object, [edit]);
    if (next === undefined) continue;
    mended = next;
    object = applyEdits(object, [edit]);
  }
  return mended;
}

function templateEdits(path: string, value: unknown): readonly FieldEdit[] {
  if (textAt(value, ["kind"]) !== RESOURCES.moduleTemplate.kind) return [];
  const place = placeOf(path);
  if (place?.kind === "channel-template") {
    const { module, channel } = place;
    if (parseChannelName(channel) === undefined) return [];
    const placed = [set(["metadata", "name"], `${module}-${channel}`), set(["spec", "channel"], channel)];
    return effective(value, module, placed);
  }
  // Where the version and the folder disagree, it is unknown which of them is right.
  if (place?.kind !== "version-template" || textAt(value, ["spec", "version"]) !== place.version) return [];
  const { module, version } = place;
  return effective(value, module, [
    set(["metadata", "name"], `${module}-${version}`),
    set(["spec", "channel"], undefined),
  ]);
}

/** Those of all edits that change something; none for a file that speaks of another module: it may lie in the wrong place. */
function effective(value: unknown, module: string, placed: readonly FieldEdit[]): readonly FieldEdit[] {
  const names = [
    ["spec", "moduleName"],
    ["metadata", "labels", MODULE_LABEL],
  ];
  const claims = names.flatMap((path) => textAt(value, path) ?? []);
  if (parseModuleName(module) === undefined || (claims.length > 0 && !claims.includes(module))) return [];
  const edits = [...placed, ...names.map((path) => set(path, module)), ...namespaceEdits(value), ...copies(value)];
  return edits.filter(({ path, value: wanted }) => fieldAt(value, path) !== wanted);
}

/** A namespace that is written there may be meant. */
function namespaceEdits(value: unknown): readonly FieldEdit[] {
  const path = ["metadata", "namespace"];
  return fieldAt(value, path) === undefined ? [set(path, DEFAULT_NAMESPACE)] : [];
}

/** What repeats `spec.version`, which itself is never changed. */
function copies(value: unknown): readonly FieldEdit[] {
  const version = parseVersion(textAt(value, ["spec", "version"]) ?? "");
  if (version === undefined) return [];
  const annotation = ["metadata", "annotations", VERSION_ANNOTATION];
  return [
    ...(textAt(value, annotation) === undefined ? [] : [set(annotation, version)]),
    ...descriptorEdits(value, version),
  ];
}

/** A descriptor whose resources bear its version is one of another version: its digests, too, are not of this one. */
function descriptorEdits(value: unknown, version: string): readonly FieldEdit[] {
  const component = ["spec", "descriptor", "component"];
  const found = textAt(value, [...component, "version"]);
  if (found === undefined || found.replace(/^v/, "") === version) return [];
  const parts = ["resources", "sources"].flatMap((key) => {
    const list = fieldAt(value, [...component, key]);
    return Array.isArray(list) ? list.map((part: unknown) => (isRecord(part) ? part["version"] : undefined)) : [];
  });
  return parts.includes(found) ? [] : [set([...component, "version"], version)];
}

function set(path: readonly string[], value: string | undefined): FieldEdit {
  return { path, value, because: "its place decides it" };
}
