import { CHECKS, type Check } from "./checks.ts";
import { counterexamplesOf, createdBy, headOf, soughtOf } from "./counterexamples.ts";
import type { Definition, DefinitionVersion } from "./definition.ts";
import type { DefinitionNote } from "./names.ts";
import { isConditional } from "./pair.ts";
import { rootPair, walk, type PlacedNote } from "./walk.ts";

/** What becomes of objects in another version than the one they are written in, where nothing but the apiVersion is converted. */
export function compareStorage(served: Definition, wanted: Definition): readonly DefinitionNote[] {
  const [before, after] = [storedOf(served), storedOf(wanted)];
  return [
    ...(before && after && before.name !== after.name ? storedElsewhere(served, wanted, before, after) : []),
    ...(before && wanted.convertsNothing ? added(served, wanted).flatMap((version) => roundTrip(before, version)) : []),
  ];
}

function storedOf({ versions }: Definition): DefinitionVersion | undefined {
  return [...versions.values()].find(({ isStored }) => isStored);
}

function added(served: Definition, wanted: Definition): readonly DefinitionVersion[] {
  return [...wanted.versions.values()].filter(({ name }) => !served.versions.has(name));
}

/** What a version drops without a word of an object that another version accepts. */
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
    const places = isWritten ? lossesOf(version, after) : [];
    return places.length === 0 ? [] : [lossNote(served, version, places, { ...place, stored: after.name })];
  });
  return lost.length > 0 ? lost : [moved];
}

/** What an object loses that is written in one version and stored in another. */
function lossesOf(version: DefinitionVersion, stored: DefinitionVersion): readonly PlacedNote[] {
  const hasStatus = "status" in version.subresources;
  return walk(rootPair(version.schema, stored.schema, []), hasStatus).filter(({ note }) => LOSSES.has(note.check));
}

/** How many places are named, and tried at first. */
const MOST_PLACES = 8;

function lossNote(
  served: Definition,
  version: DefinitionVersion,
  places: readonly PlacedNote[],
  { stored, ...place }: Pick<DefinitionNote, "field" | "path"> & { readonly stored: string },
): DefinitionNote {
  const head = headOf(served, version.name);
  const written = places.filter(({ pair }) => !pair.isStatus).slice(0, MOST_PLACES);
  const examples = written.flatMap(({ pair, note }) => counterexamplesOf(pair, note, head).slice(0, 2));
  const [first] = written.map(({ pair, note }) => soughtOf(pair, note));
  return {
    ...place,
    check: "stored-fields-lost",
    version: version.name,
    message: `Objects are stored as ${stored} now, and nothing is converted: with the next write, one of ${version.name} loses ${listed(places)}.`,
    isCertain: places.some(({ pair }) => !isConditional(pair)),
    counterexamples: createdBy(examples).map((object) => ({ kind: "read", object })),
    ...(first && { sought: { ...first, act: "read" } }),
  };
}

/** What a new version cannot carry of what is stored. */
function roundTrip(stored: DefinitionVersion, version: DefinitionVersion): readonly DefinitionNote[] {
  const breaks = walk(rootPair(stored.schema, version.schema, []), false).filter(
    ({ note }) => CHECKS[note.check].class === "breaking",
  );
  if (breaks.length === 0) return [];
  const path = ["spec", "versions", version.index, "schema", "openAPIV3Schema"];
  const message = `Nothing is converted between ${stored.name}, which is stored, and ${version.name}, which is new, but they differ: in ${listed(breaks)}.`;
  return [{ check: "new-version-differs", version: version.name, field: ".", path, message }];
}

function listed(places: readonly PlacedNote[]): string {
  const fields = [...new Set(places.map(({ pair, note }) => `${pair.field}${note.below ?? ""}` || "the object"))];
  const rest = fields.length - MOST_PLACES;
  return fields.slice(0, MOST_PLACES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
