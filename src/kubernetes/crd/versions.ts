import type { Check } from "./checks.ts";
import { headOf, smallest } from "./counterexamples.ts";
import type { Definition, Version } from "./definition.ts";
import { scaleOf, type DefinitionNote } from "./names.ts";
import { meaningOf } from "./schema.ts";

/** Compares which versions there are, which of them are served, and what each offers beside its fields. */
export function compareVersions(served: Definition, wanted: Definition): readonly DefinitionNote[] {
  const before = [...served.versions.values()].flatMap((version) => fate(served, wanted, version));
  const added = [...wanted.versions.values()].filter(({ name }) => !served.versions.has(name));
  return [
    ...before,
    ...added.map((version) => noteOn(version, "version-added", `The version ${version.name} is new.`)),
  ];
}

/** A note on a version of the wanted definition. */
function noteOn({ name, index }: Version, check: Check, message: string, at = "name"): DefinitionNote {
  return { check, version: name, field: ".", path: ["spec", "versions", index, at], message };
}

function fate(served: Definition, wanted: Definition, version: Version): readonly DefinitionNote[] {
  const now = wanted.versions.get(version.name);
  const object = (): Pick<DefinitionNote, "counterexamples"> => ({
    counterexamples: smallest(version.schema, headOf(served, version.name)),
  });
  if (now === undefined) {
    const check = served.stored.has(version.name) ? "stored-version-removed" : "version-removed";
    const message = `The version ${version.name} is gone${version.isServed ? "; it was served" : ""}.`;
    return [{ check, version: version.name, field: ".", path: ["spec", "versions"], message, ...object() }];
  }
  const notes: DefinitionNote[] = [];
  if (version.isServed && !now.isServed) {
    notes.push({
      ...noteOn(now, "version-unserved", `The version ${now.name} is not served any more.`, "served"),
      ...object(),
    });
  }
  if (!version.isServed && now.isServed)
    notes.push(noteOn(now, "version-served", `The version ${now.name} is served now.`, "served"));
  if (!version.isDeprecated && now.isDeprecated) {
    notes.push(
      noteOn(now, "version-deprecated", `The version ${now.name} is deprecated now: clients are warned.`, "deprecated"),
    );
  }
  return [...notes, ...offers(version, now)];
}

/** Subresources, selectable fields and columns. */
function offers(before: Version, after: Version): readonly DefinitionNote[] {
  const note = (check: Check, message: string, at: string): DefinitionNote => noteOn(after, check, message, at);
  const notes: DefinitionNote[] = [];
  const [hadStatus, hasStatus] = [before, after].map(({ subresources }) => "status" in subresources);
  if (hadStatus && !hasStatus)
    notes.push(
      note("status-subresource-removed", "The subresource status is gone: requests to it are refused.", "subresources"),
    );
  if (!hadStatus && hasStatus)
    notes.push(
      note(
        "status-subresource-added",
        "There is a subresource status now: the status in any other request is ignored.",
        "subresources",
      ),
    );
  return [
    ...notes,
    ...scale(before, after, note),
    ...selectable(before, after, note),
    ...(columnsOf(before) === columnsOf(after)
      ? []
      : [note("printer-columns-changed", "What kubectl get prints has changed.", "additionalPrinterColumns")]),
  ];
}

type Noting = (check: Check, message: string, at: string) => DefinitionNote;

function scale(before: Version, after: Version, note: Noting): readonly DefinitionNote[] {
  const [had, has] = ["scale" in before.subresources, "scale" in after.subresources];
  if (!had && !has) return [];
  if (!has)
    return [
      note("scale-subresource-removed", "The subresource scale is gone: requests to it are refused.", "subresources"),
    ];
  if (!had) return [note("scale-subresource-added", "There is a subresource scale now.", "subresources")];
  const [old, wanted] = [scaleOf(before.subresources), scaleOf(after.subresources)];
  const message = `The subresource scale reads ${wanted} now; it read ${old}.`;
  return old === wanted ? [] : [note("scale-subresource-changed", message, "subresources")];
}

function selectable(before: Version, after: Version, note: Noting): readonly DefinitionNote[] {
  const gone = before.selectableFields.filter((field) => !after.selectableFields.includes(field));
  const come = after.selectableFields.filter((field) => !before.selectableFields.includes(field));
  return [
    ...gone.map((field) => ({
      ...note(
        "selectable-field-removed",
        `Objects cannot be selected by ${field} any more: such requests are refused.`,
        "selectableFields",
      ),
      field,
    })),
    ...come.map((field) => ({
      ...note("selectable-field-added", `Objects can be selected by ${field} now.`, "selectableFields"),
      field,
    })),
  ];
}

function columnsOf({ columns }: Version): string {
  return meaningOf(columns);
}
