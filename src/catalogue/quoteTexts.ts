import { parseEvents } from "js-yaml";
import { validate, type SchemaKind } from "./schema.ts";
import { applySplices } from "../document/yaml/edit.ts";
import { readYaml } from "../document/yaml/read.ts";
import { ambiguity } from "../document/yaml/scalar.ts";
import { buildTree, type YamlNode, type YamlPath } from "../document/yaml/tree.ts";

/** A scalar that YAML 1.1 and 1.2 read differently. */
interface Ambiguous {
  readonly path: YamlPath;
  readonly start: number;
  readonly text: string;
  /** Whether it has an anchor, so that aliases may refer to it. */
  readonly isShared: boolean;
}

/**
 * `text` with quotes around each ambiguous scalar that must be text, since the schema of `kind` accepts only text there.
 * `no` in a module's own resource does not change: whether it means false is unknown.
 *
 * Takes:  `text`, YAML with valid syntax.
 */
export function quoteTexts(text: string, kind: SchemaKind): string {
  const tree = buildTree(text, parseEvents(text, {}));
  const scalars = tree === undefined ? [] : ambiguousScalars(tree, []);
  const reading = readYaml("", { kind: "bytes", bytes: Buffer.from(quote(text, scalars)) });
  if (reading.kind === "refused") return text;
  const { value } = reading.file;
  return quote(
    text,
    scalars.filter(({ path, isShared }) => !isShared && takesOnlyText(kind, value, path)),
  );
}

/** Values only: the meaning of an ambiguous key is unknown. */
function ambiguousScalars(node: YamlNode, path: YamlPath): readonly Ambiguous[] {
  switch (node.kind) {
    case "map":
      return node.pairs.flatMap(({ key, value }) =>
        key.kind === "scalar" ? ambiguousScalars(value, [...path, key.text]) : [],
      );
    case "list":
      return node.items.flatMap((item, index) => ambiguousScalars(item, [...path, index]));
    case "scalar": {
      const { start, text, plain, anchor } = node;
      return plain && ambiguity(text) !== undefined ? [{ path, start, text, isShared: anchor !== "" }] : [];
    }
    case "alias":
      return [];
  }
}

/** Needs no escapes: no ambiguous scalar holds a character that requires one. */
function quote(text: string, scalars: readonly Ambiguous[]): string {
  return applySplices(
    text,
    scalars.map(({ start, text: plain }) => ({ start, end: start + plain.length, text: `"${plain}"` })),
  );
}

function takesOnlyText(kind: SchemaKind, value: unknown, at: YamlPath): boolean {
  const refuses = (candidate: unknown): boolean =>
    validate(kind, candidate).some(({ path }) => JSON.stringify(path) === JSON.stringify(at));
  return !refuses(value) && [true, 0].every((other) => refuses(withValue(value, at, other)));
}

function withValue(value: unknown, [step, ...rest]: YamlPath, wanted: unknown): unknown {
  if (step === undefined) return wanted;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === step ? withValue(item, rest, wanted) : item));
  const map = value as Readonly<Record<string, unknown>>;
  return { ...map, [step]: withValue(map[step], rest, wanted) };
}
