import { CHECKS, type Check } from "./checks.ts";
import { drawCounterexamples, createdBy, exampleHead, soughtExample } from "./counterexamples.ts";
import type { SchemaChange } from "./change.ts";
import { readDefinition, type Definition, type DefinitionVersion } from "./definition.ts";
import type { DefinitionNote } from "./names.ts";
import { isConditional } from "./pair.ts";
import { listAt, jsonObject, omit } from "./schema.ts";
import { rootPair, walk, type PlacedNote } from "./walk.ts";

/** Compares the storage of objects: with a conversion of the apiVersion only, other versions can lose fields. */
export function compareStorage(served: Definition, wanted: Definition): readonly DefinitionNote[] {
  const [before, after] = [storedVersion(served), storedVersion(wanted)];
  if (before === undefined || after === undefined) return [];
  const isMoved = before.name !== after.name;
  if (!wanted.convertsNothing) return isMoved ? [moved(before, after)] : [];
  const isDropped = !served.convertsNothing;
  const misfits = isMoved || isDropped ? storedMisfits(served, wanted, after) : [];
  const lost = misfits.filter(({ check }) => check === "stored-fields-lost");
  const added = [...wanted.versions.values()].filter(({ name }) => !served.versions.has(name));
  return [
    ...(isDropped ? misfits : lost),
    ...(isMoved && lost.length === 0 ? [moved(before, after)] : []),
    ...added.flatMap((version) => roundTrip(before, version)),
  ];
}

function storedVersion({ versions }: Definition): DefinitionVersion | undefined {
  return [...versions.values()].find(({ isStored }) => isStored);
}

function moved(before: DefinitionVersion, after: DefinitionVersion): DefinitionNote {
  const message = `Objects are stored as ${after.name} now; before, as ${before.name}.`;
  return { check: "storage-version-changed", version: after.name, field: ".", path: storagePath(after), message };
}

function storagePath({ index }: DefinitionVersion): DefinitionNote["path"] {
  return ["spec", "versions", index, "storage"];
}

/** Changes by which a version silently drops fields that another version accepts. */
const LOSSES: ReadonlySet<Check> = new Set(["field-removed", "map-closed", "unknown-fields-dropped"]);

/** The versions that clients write, and that differ from the stored one: only a conversion makes their objects fit. */
function storedMisfits(served: Definition, wanted: Definition, stored: DefinitionVersion): readonly DefinitionNote[] {
  const written = [...wanted.versions.values()].filter(
    ({ name, isServed }) => isServed && name !== stored.name && served.versions.get(name)?.isServed === true,
  );
  return written.flatMap((version): readonly DefinitionNote[] => {
    const places = breaksBetween(version, stored);
    const lost = places.filter(({ note }) => LOSSES.has(note.check));
    if (lost.length > 0) return [lossNote(served, version, lost, stored)];
    const all = [...places, ...breaksBetween(stored, version)];
    const message = `The versions ${version.name} and ${stored.name} differ in ${listed(all)}, and no webhook converts their objects anymore.`;
    const isCertain = all.some(({ pair, note }) => CHECKS[note.check].certain && !isConditional(pair));
    const place = { version: version.name, field: ".", path: ["spec", "conversion", "strategy"] };
    return all.length === 0 ? [] : [{ check: "conversion-removed", ...place, message, isCertain }];
  });
}

/** The places in which `after` refuses or drops what users write in `before`. */
function breaksBetween(before: DefinitionVersion, after: DefinitionVersion): readonly PlacedNote[] {
  const hasStatus = "status" in before.subresources;
  return walk(rootPair(before.schema, after.schema, []), hasStatus).filter(
    ({ pair, note }) => CHECKS[note.check].class === "breaking" && !pair.isStatus,
  );
}

/** The maximum number of places in a message, and in the first examples. */
const MOST_PLACES = 8;

function lossNote(
  served: Definition,
  version: DefinitionVersion,
  places: readonly PlacedNote[],
  stored: DefinitionVersion,
): DefinitionNote {
  const head = exampleHead(served, version.name);
  const written = places.slice(0, MOST_PLACES);
  const examples = written.flatMap(({ pair, note }) => drawCounterexamples(pair, note, head).slice(0, 2));
  const [first] = written.map(({ pair, note }) => soughtExample(pair, note));
  return {
    check: "stored-fields-lost",
    version: version.name,
    field: ".",
    path: storagePath(stored),
    message: `Objects are stored as ${stored.name} now, without a conversion: with the next write, objects of ${version.name} lose ${listed(places)}.`,
    isCertain: places.some(({ pair }) => !isConditional(pair)),
    counterexamples: createdBy(examples).map((object) => ({ kind: "read", object })),
    ...(first && { sought: { ...first, act: "read" } }),
  };
}

/** Reports the parts of stored objects that a new version cannot represent. */
function roundTrip(stored: DefinitionVersion, version: DefinitionVersion): readonly DefinitionNote[] {
  const breaks = walk(rootPair(stored.schema, version.schema, []), false).filter(
    ({ note }) => CHECKS[note.check].class === "breaking",
  );
  if (breaks.length === 0) return [];
  const path = ["spec", "versions", version.index, "schema", "openAPIV3Schema"];
  const message = `The storage version ${stored.name} and the new version ${version.name} have no conversion, but differ in ${listed(breaks)}.`;
  return [{ check: "new-version-differs", version: version.name, field: ".", path, message }];
}

function listed(places: readonly PlacedNote[]): string {
  const fields = [...new Set(places.map(({ pair, note }) => `${pair.field}${note.below ?? ""}` || "the object"))];
  const rest = fields.length - MOST_PLACES;
  return fields.slice(0, MOST_PLACES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/**
 * The definition in service by which a change is tried. A webhook is expected to lose nothing, and cannot be called: where
 * it converted, each version is tried as if objects were stored in it.
 */
export function triedDefinition(served: unknown, { check, version }: Pick<SchemaChange, "check" | "version">): unknown {
  const { document, spec, convertsNothing } = readDefinition(served);
  if (check !== "stored-fields-lost" || convertsNothing) return served;
  const versions = listAt(spec, "versions").map(jsonObject);
  const stored = versions.map((one) => ({ ...one, storage: one["name"] === version }));
  return { ...document, spec: { ...omit(spec, "conversion"), versions: stored } };
}
