import { CODEOWNERS_PATH, codeownersText } from "../catalogue/codeowners.ts";
import type { Finding } from "../document/finding.ts";
import { applyEdits, type FieldEdit, editInPlace } from "../document/yaml/edit.ts";
import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import { parseChannelName, parseModuleName } from "../catalogue/names.ts";
import { type Place, cataloguePlace } from "../catalogue/paths.ts";
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

/** Whether `findingFixes` can fix a finding. */
export function isMechanical({ rule }: Finding): boolean {
  return rule === QUOTABLE || rule === "ownership-codeowners" || PLACED.has(rule);
}

/**
 * The new texts of files that fix the mechanical ones of `findings`: those with one right value, which the rest of the
 * repository determines. Comments, order and layout stay. `spec.version` never changes.
 *
 * Takes:  `files`, the files of the head that have such findings.
 * Gives:  nothing for a file that is right already, so that a second run changes nothing. Problems that an unreadable
 *         file hid appear in the next run.
 */
export function findingFixes(
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
    const fixed = withUnixLines(text, (lines) => fixText(path, lines, inFile));
    return fixed === text ? [] : [{ path, text: fixed }];
  });
}

function codeowners({ head, facts }: Context): string {
  const found = facts.codeowners ?? "";
  const wanted = codeownersText(head, found.replaceAll("\r\n", "\n"));
  return found.includes("\r\n") ? wanted.replaceAll("\n", "\r\n") : wanted;
}

function fixText(path: string, text: string, findings: readonly Finding[]): string {
  const place = cataloguePlace(path);
  const kind = place && placeSchema(place);
  if (kind === undefined) return text;
  const quoted = findings.some(({ rule }) => rule === QUOTABLE) ? quoteTexts(text, kind) : text;
  const reading = readYaml(path, { kind: "bytes", bytes: Buffer.from(quoted) });
  return kind === "moduleTemplate" && reading.kind === "read" ? fixTemplate(path, quoted, reading.file.value) : quoted;
}

function placeSchema(place: Place): SchemaKind | undefined {
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

/** Edits `text` with line feeds, then restores its line ends. A text that mixes line ends stays unchanged. */
function withUnixLines(text: string, editText: (text: string) => string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.replaceAll("\r\n", "\n");
  if (lines.replaceAll("\n", end) !== text) return text;
  const isClosed = lines.endsWith("\n");
  const edited = editText(isClosed ? lines : `${lines}\n`);
  return (isClosed ? edited : edited.slice(0, -1)).replaceAll("\n", end);
}

/**
 * The text of a template with everything that its path determines. Each line of `text`, also the last one, must end
 * with a line feed. A field stays unchanged if writing it would change the layout of the file.
 */
export function fixTemplate(path: string, text: string, value: unknown): string {
  let [fixed, object] = [text, value];
  for (const edit of templateEdits(path, value)) {
    const next = editInPlace(fixed, object, [edit]);
    if (next === undefined) continue;
    fixed = next;
    object = applyEdits(object, [edit]);
  }
  return fixed;
}

function templateEdits(path: string, value: unknown): readonly FieldEdit[] {
  if (textAt(value, ["kind"]) !== RESOURCES.moduleTemplate.kind) return [];
  const place = cataloguePlace(path);
  if (place?.kind === "channel-template") {
    const { module, channel } = place;
    if (parseChannelName(channel) === undefined) return [];
    const placed = [set(["metadata", "name"], `${module}-${channel}`), set(["spec", "channel"], channel)];
    return effective(value, module, placed);
  }
  // If the version and the folder differ, it is unknown which one is right.
  if (place?.kind !== "version-template" || textAt(value, ["spec", "version"]) !== place.version) return [];
  const { module, version } = place;
  return effective(value, module, [
    set(["metadata", "name"], `${module}-${version}`),
    set(["spec", "channel"], undefined),
  ]);
}

/** The edits that change something; none for a file that names another module, since it may be in the wrong place. */
function effective(value: unknown, module: string, placed: readonly FieldEdit[]): readonly FieldEdit[] {
  const names = [
    ["spec", "moduleName"],
    ["metadata", "labels", MODULE_LABEL],
  ];
  const claims = names.flatMap((path) => textAt(value, path) ?? []);
  if (parseModuleName(module) === undefined || (claims.length > 0 && !claims.includes(module))) return [];
  const namespace = ["metadata", "namespace"];
  // A namespace that is set may be intended.
  const namespaces = fieldAt(value, namespace) === undefined ? [set(namespace, DEFAULT_NAMESPACE)] : [];
  const edits = [...placed, ...names.map((path) => set(path, module)), ...namespaces, ...copies(value)];
  return edits.filter(({ path, value: wanted }) => fieldAt(value, path) !== wanted);
}

/** Edits of the fields that repeat `spec.version`, which itself never changes. */
function copies(value: unknown): readonly FieldEdit[] {
  const version = parseVersion(textAt(value, ["spec", "version"]) ?? "");
  if (version === undefined) return [];
  const annotation = ["metadata", "annotations", VERSION_ANNOTATION];
  return [
    ...(textAt(value, annotation) === undefined ? [] : [set(annotation, version)]),
    ...descriptorEdits(value, version),
  ];
}

/**
 * Edits of the descriptor's version. A descriptor whose resources have its version belongs to another version, and so
 * do its digests: it stays unchanged.
 */
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
