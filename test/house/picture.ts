import { createRequire } from "node:module";

/** One side of an import rule, as .dependency-cruiser.cjs writes it. */
interface Side {
  readonly path?: string;
  readonly pathNot?: string | readonly string[];
}

interface ImportRule {
  readonly from: Side;
  readonly to: Side & {
    readonly circular?: boolean;
    readonly couldNotResolve?: boolean;
    readonly dependencyTypesNot?: readonly string[];
  };
}

/** Everything that stands directly in src/, in the order in which a version travels. */
const PLACES = [
  "cli",
  "dashboard",
  "promote",
  "sync",
  "fleet",
  "check",
  "build",
  "smoke",
  "rehearsal",
  "systems",
  "reading",
  "ports",
  "catalogue",
  "kubernetes",
  "document",
] as const;

const { forbidden } = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as {
  readonly forbidden: readonly ImportRule[];
};

/**
 * The house as a Mermaid flowchart: who may import whom, asked of the import rules themselves. Places with the same
 * arrows share a box; an arrow that follows from two others is left out.
 */
export function picture(): string {
  const arrows = new Map(PLACES.map((from) => [from, PLACES.filter((to) => from !== to && mayImport(from, to))]));
  const boxes = Map.groupBy(
    PLACES,
    // `systems` is not a room: it keeps a box of its own.
    (place) =>
      place === "systems" ? place : `${(arrows.get(place) ?? []).join()} < ${importers(place, arrows).join()}`,
  );
  const nameOf = (place: Place): string => [...boxes.values()].find((box) => box.includes(place))?.join("_") ?? place;
  const lines = [...boxes.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const targets = essential(first, arrows).map(nameOf);
    const box = `  ${nameOf(first)}["${[first, ...rest].join("<br/>")}"]`;
    return [
      box,
      ...[...new Set(targets)].filter((to) => to !== nameOf(first)).map((to) => `  ${nameOf(first)} --> ${to}`),
    ];
  });
  return ["flowchart TD", ...lines].join("\n");
}

type Place = (typeof PLACES)[number];
type Arrows = ReadonlyMap<Place, readonly Place[]>;

function importers(place: Place, arrows: Arrows): readonly Place[] {
  return PLACES.filter((from) => from !== place && (arrows.get(from) ?? []).includes(place));
}

/** The targets of `from` that cannot be reached by way of another target. */
function essential(from: Place, arrows: Arrows): readonly Place[] {
  const targets = arrows.get(from) ?? [];
  return targets.filter((to) => !targets.some((via) => reaches(via, to, arrows)));
}

function reaches(from: Place, to: Place, arrows: Arrows): boolean {
  const [there, back] = [arrows.get(from) ?? [], arrows.get(to) ?? []];
  return there.includes(to) && !back.includes(from);
}

function mayImport(from: Place, to: Place): boolean {
  return !forbidden.some((rule) => forbids(rule, fileIn(from), fileIn(to)));
}

/** A file that stands for the place; in `cli`, the one that may know `systems`. */
function fileIn(place: Place): string {
  return { ports: "src/ports.ts", cli: "src/cli/compose/compose.ts" }[place as string] ?? `src/${place}/${place}.ts`;
}

function forbids({ from, to }: ImportRule, fromFile: string, toFile: string): boolean {
  if (
    to.circular === true ||
    to.couldNotResolve === true ||
    to.dependencyTypesNot !== undefined ||
    to.path === undefined
  )
    return false;
  const match = new RegExp(from.path ?? "").exec(fromFile);
  if (match === null || isExcepted(from, fromFile)) return false;
  const resolve = (pattern: string): string =>
    pattern.replaceAll(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? "");
  return new RegExp(resolve(to.path)).test(toFile) && !isExcepted(to, toFile, resolve);
}

function isExcepted({ pathNot = [] }: Side, file: string, resolve = (pattern: string): string => pattern): boolean {
  return [pathNot].flat().some((pattern) => new RegExp(resolve(pattern)).test(file));
}
