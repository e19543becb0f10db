import { applyEdits, fieldAt, isRecord, textAt, type Edit } from "../catalogue/import/fields.ts";
import { editInPlace } from "../catalogue/import/text.ts";
import { parseChannelName, parseModuleName } from "../catalogue/names.ts";
import { placeOf } from "../catalogue/paths.ts";
import { DEFAULT_NAMESPACE } from "../catalogue/settings.ts";
import { MODULE_LABEL, VERSION_ANNOTATION } from "../catalogue/template.ts";
import { parseVersion } from "../catalogue/version.ts";
import { RESOURCES } from "../kubernetes/object.ts";

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

function templateEdits(path: string, value: unknown): readonly Edit[] {
  if (textAt(value, ["kind"]) !== RESOURCES.moduleTemplate.kind) return [];
  const place = placeOf(path);
  if (place?.kind === "channel-template") {
    const { module, channel } = place;
    if (parseChannelName(channel) === undefined) return [];
    const placed = [set(["metadata", "name"], `${module}-${channel}`), set(["spec", "channel"], channel)];
    return effective(value, module, placed);
  }
  // Where the version and the folder disagree, nobody can tell which of them is right.
  if (place?.kind !== "version-template" || textAt(value, ["spec", "version"]) !== place.version) return [];
  const { module, version } = place;
  return effective(value, module, [
    set(["metadata", "name"], `${module}-${version}`),
    set(["spec", "channel"], undefined),
  ]);
}

/** Those of all edits that change something; none for a file that speaks of another module: it may lie in the wrong place. */
function effective(value: unknown, module: string, placed: readonly Edit[]): readonly Edit[] {
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
function namespaceEdits(value: unknown): readonly Edit[] {
  const path = ["metadata", "namespace"];
  return fieldAt(value, path) === undefined ? [set(path, DEFAULT_NAMESPACE)] : [];
}

/** What repeats `spec.version`, which itself is never changed. */
function copies(value: unknown): readonly Edit[] {
  const version = parseVersion(textAt(value, ["spec", "version"]) ?? "");
  if (version === undefined) return [];
  const annotation = ["metadata", "annotations", VERSION_ANNOTATION];
  return [
    ...(textAt(value, annotation) === undefined ? [] : [set(annotation, version)]),
    ...descriptorEdits(value, version),
  ];
}

/** A descriptor whose resources bear its version is one of another version: its digests, too, are not of this one. */
function descriptorEdits(value: unknown, version: string): readonly Edit[] {
  const component = ["spec", "descriptor", "component"];
  const found = textAt(value, [...component, "version"]);
  if (found === undefined || found.replace(/^v/, "") === version) return [];
  const parts = ["resources", "sources"].flatMap((key) => {
    const list = fieldAt(value, [...component, key]);
    return Array.isArray(list) ? list.map((part: unknown) => (isRecord(part) ? part["version"] : undefined)) : [];
  });
  return parts.includes(found) ? [] : [set([...component, "version"], version)];
}

function set(path: readonly string[], value: string | undefined): Edit {
  return { path, value, because: "its place decides it" };
}
