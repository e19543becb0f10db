// compareDefinitions.ts FILE…: compares the CustomResourceDefinitions of these files, each with the next of its name, and
// prints how long a pair took: the first one of the process, and of each the middle of 15 times.
import { readFileSync } from "node:fs";
import { loadAll } from "js-yaml";
import { compareDefinitions } from "../../../src/kubernetes/crd/compare.ts";

interface Definition {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

function definitionsIn(file: string): readonly Definition[] {
  const documents = loadAll(readFileSync(file, "utf8")) as readonly (Definition | null)[];
  return documents.filter((document) => document !== null).filter(({ kind }) => kind === "CustomResourceDefinition");
}

function pairs(definitions: readonly Definition[]): readonly (readonly [Definition, Definition])[] {
  const byName = Map.groupBy(definitions, ({ metadata }) => metadata.name);
  return [...byName.values()].flatMap((same) =>
    same.slice(1).flatMap((next, index) => same.slice(index, index + 1).map((old) => [old, next] as const)),
  );
}

function timeMs(pair: readonly [Definition, Definition]): number {
  const start = performance.now();
  compareDefinitions(...pair);
  return performance.now() - start;
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const all = pairs(process.argv.slice(2).flatMap(definitionsIn));
const [first] = all;
if (first === undefined) throw new Error("no two definitions of one name");
const coldMs = timeMs(first);
const tookMs = all.map((pair) => middle(Array.from({ length: 15 }, () => timeMs(pair))));
console.log(
  JSON.stringify({
    items: all.length,
    firstPairMs: coldMs,
    medianPairMs: middle(tookMs),
    slowestPairMs: Math.max(...tookMs),
  }),
);
