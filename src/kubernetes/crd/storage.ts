import { CHECKS, type Check } from "./checks.ts";
import { counterexamplesOf, createdBy, headOf, soughtOf } from "./counterexamples.ts";
import type { Definition, DefinitionVersion } from "./definition.ts";
import type { DefinitionNote } from "./names.ts";
import { isConditional } from "./pair.ts";
import { rootPair, walk, type PlacedNote } from "./walk.ts";

/** Compares the storage of objects: with a conversion of the apiVersion only, other versions can lose fields. */
export function compareStorage(served: Definition, wanted: Definition): readonly DefinitionNote[] {
  const [before, after] = [storedOf(served), storedOf(wanted)];
  return [
    ...(before && after && before.name !== after.name ? storedElsewhere(served, wanted, before, after) : []),
    ...(before && wanted.convertsNothing
      ? [...wanted.versions.values()]
          .filter(({ name }) => !served.versions.has(name))
          .flatMap((version) => roundTrip(before, version))
      : []),
  ];
}

function storedOf({ versions }: Definition): DefinitionVersion | undefined {
  return [...versions.values()].find(({ isStored }) => isStored);
}

/** Changes by which a version silently drops fields that another version accepts. */
const LOSSES: ReadonlySet<Check> = new Set(["field-removed", "map-closed", "unknown-fields-dropped"]);

function storedElsewhere(
  served: Definition,
  wanted: Definition,
  before: DefinitionVersion,
  after: DefinitionVersion,
): readonly DefinitionNote[] {
  const place = { field: ".", path: ["spec", "versions", after.index, "storage"] };
  const message = `Objects are stored as ${after.name} now; before, as ${before.name}.`;
  const moved = { ...place, check: "storage-version-changed", version: after.name, message } as const;
  if (!wanted.convertsNothing) return [moved];
  const lost = [...wanted.versions.values()].flatMap((version): readonly DefinitionNote[] => {
    const isWritten = version.isServed && served.versions.get(version.name)?.isServed === true;
    const hasStatus = "status" in version.subresources;
    // What an object loses when it is written in one version and stored in another.
    const places = isWritten
      ? walk(rootPair(version.schema, after.schema, []), hasStatus).filter(
          ({ pair, note }) => LOSSES.has(note.check) && !pair.isStatus,
        )
      : [];
    return places.length === 0 ? [] : [lossNote(served, version, places, { ...place, stored: after.name })];
  });
  return lost.length > 0 ? lost : [moved];
}

/** The maximum number of places in a message, and in the first examples. */
const MOST_PLACES = 8;

function lossNote(
  served: Definition,
  version: DefinitionVersion,
  places: readonly PlacedNote[],
  { stored, ...place }: Pick<DefinitionNote, "field" | "path"> & { readonly stored: string },
): DefinitionNote {
  const head = headOf(served, version.name);
  const written = places.slice(0, MOST_PLACES);
  const examples = written.flatMap(({ pair, note }) => counterexamplesOf(pair, note, head).slice(0, 2));
  const [first] = written.map(({ pair, note }) => soughtOf(pair, note));
  return {
    ...place,
    check: "stored-fields-lost",
    version: version.name,
    message: `Objects are stored as ${stored} now, without a conversion: with the next write, objects of ${version.name} lose ${listed(places)}.`,
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
