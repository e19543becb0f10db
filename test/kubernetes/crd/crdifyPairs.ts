import { incompatible, type Documented, type DocumentedPair } from "./crdifyDocumented.ts";
import { STRUCTURE_PAIRS } from "./crdifyStructure.ts";
import { VALUE_PAIRS } from "./crdifyValues.ts";
import { definitionOf, version, withSpec, type TestDefinition } from "./definitions.ts";
import { listOf, TEXT } from "./pairs.ts";

/** Every validation that crdify documents for properties, with a pair for each change that it lists. */
export const CRDIFY_PAIRS: readonly DocumentedPair[] = [...VALUE_PAIRS, ...STRUCTURE_PAIRS];

/** What crdify documents of a definition as a whole; the old definition is replaced by the new one. */
export interface WholePair {
  readonly documented: Documented;
  readonly name: string;
  readonly old: (group: string) => TestDefinition;
  readonly new: (group: string) => TestDefinition;
  readonly gives: readonly string[];
}

const plain = (group: string): TestDefinition =>
  withSpec(definitionOf({}, group), { versions: [version("v1", { storage: true })] });

/** The changes of definitions as a whole that crdify documents, and `uniqueItems`, which no definition may have. */
export const CRDIFY_WHOLE_PAIRS: readonly WholePair[] = [
  {
    documented: incompatible("scope", "changed", "the server does not even accept the definition"),
    name: "scope",
    old: plain,
    new: (group) => withSpec(plain(group), { scope: "Cluster" }),
    gives: ["scope-changed"],
  },
  {
    documented: incompatible(
      "storedVersionRemoval",
      "a stored version removed",
      "the server does not even accept the definition",
    ),
    name: "stored-version",
    old: plain,
    new: (group) => withSpec(plain(group), { versions: [version("v2", { storage: true })] }),
    gives: ["stored-version-removed", "version-added", "storage-version-changed"],
  },
  {
    documented: incompatible("uniqueItems", "added", "the server accepts no such definition"),
    name: "unique-items",
    old: (group) => definitionOf({ list: listOf(TEXT) }, group),
    new: (group) => definitionOf({ list: listOf(TEXT, { uniqueItems: true }) }, group),
    gives: ["unique-items-added"],
  },
];
