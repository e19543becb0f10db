import { CHECKS, type Check } from "./checks.ts";
import type { SchemaChange, WantedPath } from "./change.ts";
import { counterexamplesOf, headOf, soughtOf } from "./counterexamples.ts";
import { readDefinition, type Definition, type Version } from "./definition.ts";
import { compareNames, type DefinitionNote } from "./names.ts";
import { isConditional, pathOf } from "./pair.ts";
import type { Json } from "../object.ts";
import { compareStorage } from "./storage.ts";
import { compareVersions } from "./versions.ts";
import { rootPair, walk, type PlacedNote } from "./walk.ts";

export type { Counterexample, SchemaChange, WantedPath } from "./change.ts";
export type { Check, Impact } from "./checks.ts";

/**
 * Everything that differs between two CustomResourceDefinitions (apiextensions.k8s.io/v1, as parsed), from what the
 * definition says of itself to its fields, version by version.
 *
 * A definition and itself give nothing; the order of fields plays no role. What is malformed reads as absent: that it is
 * malformed is for others to say. Takes time in proportion to the two definitions.
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
  const attempts = { counterexamples: CHECKS[check].isTried ? counterexamples : [], sought };
  return { check, ...CHECKS[check], certain: isCertain, version, field, path, message, ...attempts };
}

/** The longest beginning of a path that a document has. */
function nearest(document: Json, path: WantedPath): WantedPath {
  let value: unknown = document;
  for (const [length, step] of path.entries()) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return path.slice(0, length);
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return path;
}

function stepsTo({ index }: Version): WantedPath {
  return ["spec", "versions", index, "schema", "openAPIV3Schema"];
}

function sameVersion(
  served: Definition,
  wanted: Definition,
  before: Version,
  version: Version,
): readonly SchemaChange[] {
  const hasStatus = "status" in before.subresources && "status" in version.subresources;
  const head = headOf(served, version.name);
  return walk(rootPair(before.schema, version.schema, stepsTo(version)), hasStatus).map((found) => {
    const change = changeOf(wanted, version, found);
    const { pair, note } = found;
    return change.isTried
      ? { ...change, counterexamples: counterexamplesOf(pair, note, head), sought: soughtOf(pair, note) }
      : change;
  });
}

/** What is lost even where nobody but the manager writes: the API server drops it before it looks at subresources. */
const LOSSES: ReadonlySet<Check> = new Set(["field-removed", "map-closed", "unknown-fields-dropped"]);

function changeOf({ document }: Definition, { name }: Version, { pair, note }: PlacedNote): SchemaChange {
  const { check, message, at, below = "" } = note;
  const summary = CHECKS[check];
  // Whoever creates an object cannot set its status, so nobody is refused for it.
  const isHarmless = pair.isStatus && summary.class === "breaking" && !LOSSES.has(check);
  return {
    check,
    ...summary,
    ...(isHarmless && { class: "risky", isTried: false }),
    certain: summary.certain && !isConditional(pair),
    version: name,
    field: `${pair.field}${below}` || ".",
    path: nearest(document, pathOf(pair, at)),
    message,
    counterexamples: [],
    sought: undefined,
  };
}
