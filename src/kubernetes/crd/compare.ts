import type { Json } from "../object.ts";
import type { Counterexample, SchemaChange, WantedPath } from "./change.ts";
import { type Check, CHECKS } from "./checks.ts";
import { drawCounterexamples, exampleHead, smallest, soughtExample } from "./counterexamples.ts";
import { type Definition, readDefinition, type DefinitionVersion } from "./definition.ts";
import { compareNames, type DefinitionNote, scaleSubresource } from "./names.ts";
import { isConditional, presentPath } from "./pair.ts";
import { canonicalMeaning } from "./schema.ts";
import { compareStorage } from "./storage.ts";
import { type PlacedNote, rootPair, walk } from "./walk.ts";

export type { Counterexample, SchemaChange, WantedPath } from "./change.ts";
export type { Check, Impact } from "./checks.ts";

/**
 * All differences between two CustomResourceDefinitions (apiextensions.k8s.io/v1, as parsed): first those of the
 * definition as a whole, then those of the fields of each version.
 *
 * The order of fields does not matter. Malformed parts count as absent, without a report. Takes time in proportion to
 * the size of the definitions.
 */
export function compareDefinitions(served: unknown, wanted: unknown): readonly SchemaChange[] {
  const [old, now] = [readDefinition(served), readDefinition(wanted)];
  const whole = [...compareNames(old, now), ...compareVersions(old, now), ...compareStorage(old, now)].map((note) =>
    ofDefinition(now, note),
  );
  const versions = [...now.versions.values()].flatMap((version) => {
    const before = old.versions.get(version.name);
    return before === undefined ? [] : sameVersion(old, now, before, version);
  });
  return [...whole, ...versions];
}

function ofDefinition({ document }: Definition, note: DefinitionNote): SchemaChange {
  const { check, version, field, message, isCertain = CHECKS[check].certain, counterexamples = [], sought } = note;
  const path = nearest(document, note.path);
  const attempts = { refusal: undefined, counterexamples: CHECKS[check].isTried ? counterexamples : [], sought };
  return { check, ...CHECKS[check], certain: isCertain, version, field, path, message, ...attempts };
}

/** The longest prefix of a path that exists in a document. */
function nearest(document: Json, path: WantedPath): WantedPath {
  let value: unknown = document;
  for (const [length, step] of path.entries()) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return path.slice(0, length);
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return path;
}

function sameVersion(
  served: Definition,
  wanted: Definition,
  before: DefinitionVersion,
  version: DefinitionVersion,
): readonly SchemaChange[] {
  const hasStatus = "status" in before.subresources && "status" in version.subresources;
  const head = exampleHead(served, version.name);
  const path = ["spec", "versions", version.index, "schema", "openAPIV3Schema"];
  return walk(rootPair(before.schema, version.schema, path), hasStatus).map((found) => {
    const change = schemaChange(wanted, version, found);
    const { pair, note } = found;
    return change.isTried
      ? { ...change, counterexamples: drawCounterexamples(pair, note, head), sought: soughtExample(pair, note) }
      : change;
  });
}

function schemaChange({ document }: Definition, { name }: DefinitionVersion, { pair, note }: PlacedNote): SchemaChange {
  const { check, message, at, below = "" } = note;
  const summary = CHECKS[check];
  // Only the controller writes the status, and it comes with the definition.
  const isHarmless = pair.isStatus && summary.class === "breaking";
  return {
    check,
    ...summary,
    ...(isHarmless && { class: "risky", isTried: false }),
    certain: summary.certain && !isConditional(pair),
    version: name,
    field: `${pair.field}${below}` || ".",
    path: nearest(document, presentPath(pair, at)),
    message,
    counterexamples: [],
    refusal: note.refusal,
    sought: undefined,
  };
}

/** Compares the set of versions, which of them are served, and their features other than fields. */
function compareVersions(served: Definition, wanted: Definition): readonly DefinitionNote[] {
  const before = [...served.versions.values()].flatMap((version) => fate(served, wanted, version));
  const added = [...wanted.versions.values()].filter(({ name }) => !served.versions.has(name));
  return [
    ...before,
    ...added.map((version) => noteOn(version, "version-added", `The version ${version.name} is new.`)),
  ];
}

/** A note on a version of the wanted definition. */
function noteOn({ name, index }: DefinitionVersion, check: Check, message: string, at = "name"): DefinitionNote {
  return { check, version: name, field: ".", path: ["spec", "versions", index, at], message };
}

function fate(served: Definition, wanted: Definition, version: DefinitionVersion): readonly DefinitionNote[] {
  const now = wanted.versions.get(version.name);
  const counterexamples = (): readonly Counterexample[] => smallest(version.schema, exampleHead(served, version.name));
  if (now === undefined) return [removal(served, version, counterexamples())];
  const notes: DefinitionNote[] = [];
  if (version.isServed && !now.isServed) {
    notes.push({
      ...noteOn(now, "version-unserved", `The version ${now.name} is no longer served.`, "served"),
      counterexamples: counterexamples(),
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

function removal(
  { stored }: Definition,
  { name, isServed }: DefinitionVersion,
  counterexamples: readonly Counterexample[],
): DefinitionNote {
  const unstored = isServed ? "version-removed" : "unserved-version-removed";
  const check = stored.has(name) ? "stored-version-removed" : unstored;
  const message = `The version ${name} was removed; it was ${isServed ? "" : "not "}served.`;
  return { check, version: name, field: ".", path: ["spec", "versions"], message, counterexamples };
}

/** Subresources, selectable fields and columns. */
function offers(before: DefinitionVersion, after: DefinitionVersion): readonly DefinitionNote[] {
  const note = (check: Check, message: string, at: string): DefinitionNote => noteOn(after, check, message, at);
  const notes: DefinitionNote[] = [];
  const [hadStatus, hasStatus] = [before, after].map(({ subresources }) => "status" in subresources);
  if (hadStatus && !hasStatus)
    notes.push(
      note(
        "status-subresource-removed",
        "The subresource status was removed: requests to it are refused.",
        "subresources",
      ),
    );
  if (!hadStatus && hasStatus)
    notes.push(
      note(
        "status-subresource-added",
        "The subresource status was added: the status in any other request is ignored.",
        "subresources",
      ),
    );
  return [
    ...notes,
    ...scale(before, after, note),
    ...selectable(before, after, note),
    ...(printerColumns(before) === printerColumns(after)
      ? []
      : [note("printer-columns-changed", "The columns of kubectl get have changed.", "additionalPrinterColumns")]),
  ];
}

type Noting = (check: Check, message: string, at: string) => DefinitionNote;

function scale(before: DefinitionVersion, after: DefinitionVersion, note: Noting): readonly DefinitionNote[] {
  const [had, has] = ["scale" in before.subresources, "scale" in after.subresources];
  if (!had && !has) return [];
  if (!has)
    return [
      note(
        "scale-subresource-removed",
        "The subresource scale was removed: requests to it are refused.",
        "subresources",
      ),
    ];
  if (!had) return [note("scale-subresource-added", "The subresource scale was added.", "subresources")];
  const [old, wanted] = [scaleSubresource(before.subresources), scaleSubresource(after.subresources)];
  const message = `The subresource scale reads ${wanted} now; it read ${old}.`;
  return old === wanted ? [] : [note("scale-subresource-changed", message, "subresources")];
}

function selectable(before: DefinitionVersion, after: DefinitionVersion, note: Noting): readonly DefinitionNote[] {
  const gone = before.selectableFields.filter((field) => !after.selectableFields.includes(field));
  const come = after.selectableFields.filter((field) => !before.selectableFields.includes(field));
  return [
    ...gone.map((field) => ({
      ...note(
        "selectable-field-removed",
        `Objects can no longer be selected by ${field}: such requests are refused.`,
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

function printerColumns({ columns }: DefinitionVersion): string {
  return canonicalMeaning(columns);
}
