import type { Counterexample, Sought, WantedPath } from "./change.ts";
import type { Check } from "./checks.ts";
import { exampleHead, smallest } from "./counterexamples.ts";
import type { Definition } from "./definition.ts";
import { isSet, objectAt, textAt, textsAt } from "./schema.ts";

/** A finding about a definition, or about one of its versions as a whole. */
export interface DefinitionNote {
  readonly check: Check;
  /** `undefined` for the definition as a whole. */
  readonly version: string | undefined;
  readonly field: string;
  /** The place in the wanted document, which may not exist. */
  readonly path: WantedPath;
  readonly message: string;
  /** Overrides `certain` of the check. */
  readonly isCertain?: boolean;
  readonly counterexamples?: readonly Counterexample[];
  readonly sought?: Sought;
}

/** Compares the names, the scope and the conversion of two definitions. */
export function compareNames(served: Definition, wanted: Definition): readonly DefinitionNote[] {
  return [
    ...ONE_NAME.flatMap(([check, steps]) => oneName(served, wanted, check, steps)),
    ...LISTS.flatMap((list) => listOfNames(served, wanted, list)),
    ...conversion(served, wanted),
    ...pruning(served, wanted),
  ];
}

const ONE_NAME: readonly (readonly [Check, readonly [string, string?]])[] = [
  ["group-changed", ["group"]],
  ["scope-changed", ["scope"]],
  ["kind-changed", ["names", "kind"]],
  ["plural-changed", ["names", "plural"]],
  ["singular-changed", ["names", "singular"]],
  ["list-kind-changed", ["names", "listKind"]],
];

function oneName(
  served: Definition,
  wanted: Definition,
  check: Check,
  [first, second]: readonly [string, string?],
): readonly DefinitionNote[] {
  const [before, after] = [served, wanted].map((definition) => nameAt(definition, second ?? first));
  if (before === after) return [];
  const steps = second === undefined ? [first] : [first, second];
  const message = `The ${second ?? first} is ${String(after)} now; it was ${String(before)}.`;
  const place = { version: undefined, field: `.spec.${steps.join(".")}`, path: ["spec", ...steps] };
  // Requests for an object of the first served version fail after a change of name or scope.
  const version = [...served.versions.values()].find(({ isServed }) => isServed);
  const counterexamples = version === undefined ? [] : smallest(version.schema, exampleHead(served, version.name));
  return [{ check, ...place, message, counterexamples }];
}

/** A name, or the default that the API server sets when it is missing. */
function nameAt({ spec, names, kind, isNamespaced }: Definition, key: string): string {
  if (key === "scope") return isNamespaced ? "Namespaced" : "Cluster";
  const preset: Readonly<Record<string, string>> = { singular: kind.toLowerCase(), listKind: `${kind}List` };
  return textAt(names, key) ?? textAt(spec, key) ?? preset[key] ?? "missing";
}

interface NameList {
  readonly key: string;
  readonly word: string;
  readonly gone: Check;
  readonly come: Check;
}

const LISTS: readonly NameList[] = [
  { key: "shortNames", word: "short name", gone: "short-name-removed", come: "short-name-added" },
  { key: "categories", word: "category", gone: "category-removed", come: "category-added" },
];

function listOfNames(
  served: Definition,
  wanted: Definition,
  { key, word, gone, come }: NameList,
): readonly DefinitionNote[] {
  const [before, after] = [textsAt(served.names, key), textsAt(wanted.names, key)];
  const place = { version: undefined, field: `.spec.names.${key}`, path: ["spec", "names", key] };
  const fewer = before.filter((name) => !after.includes(name));
  const more = after.filter((name) => !before.includes(name));
  return [
    ...fewer.map((name) => ({ check: gone, ...place, message: `The ${word} ${name} was removed.` })),
    ...more.map((name) => ({ check: come, ...place, message: `The ${word} ${name} is new.` })),
  ];
}

function conversion(served: Definition, wanted: Definition): readonly DefinitionNote[] {
  const [before, after] = [served, wanted].map(({ convertsNothing }) => (convertsNothing ? "None" : "Webhook"));
  if (before === after) return [];
  const message = `The conversion strategy is ${String(after)} now; it was ${String(before)}.`;
  const place = { version: undefined, field: ".spec.conversion", path: ["spec", "conversion", "strategy"] };
  return [{ check: "conversion-changed", ...place, message }];
}

/** `spec.preserveUnknownFields`, a remainder of v1beta1: v1 does not allow it, but live definitions may have it. */
function pruning(served: Definition, wanted: Definition): readonly DefinitionNote[] {
  const [before, after] = [isSet(served.spec, "preserveUnknownFields"), isSet(wanted.spec, "preserveUnknownFields")];
  if (!before || after) return [];
  const message = "Unknown fields of all objects are dropped now; before, preserveUnknownFields kept them.";
  const place = { version: undefined, field: ".spec.preserveUnknownFields", path: ["spec", "preserveUnknownFields"] };
  return [{ check: "unknown-fields-dropped", ...place, message }];
}

/** The paths of the subresource `scale`. */
export function scaleSubresource(subresources: Definition["spec"]): string {
  const scale = objectAt(subresources, "scale");
  return ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"]
    .map((key) => textAt(scale, key) ?? "none")
    .join(", ");
}
