import { Document, isMap, isScalar, parseDocument, visit, type ParsedNode } from "yaml";
import { canonicalJson } from "../canonical.ts";

import { readYaml } from "./read.ts";
import { ambiguity, isTyped } from "./scalar.ts";
import { isRecord } from "../fields.ts";

/**
 * The text of an object after `edits`.
 *
 * Takes:  `text`, the original document, or `undefined` when there is none; `value`, its value.
 * Gives:  `text` with only the edited lines changed, so that comments, order and layout stay. Without a text, or where
 *         that is not safe (maps in flow style, as in JSON; anchors), the object is printed anew.
 */
export function editText(text: string | undefined, value: unknown, edits: readonly FieldEdit[]): string {
  const wanted = applyEdits(value, edits);
  const edited =
    text === undefined ? undefined : editInPlace(`${text.replace(/\r\n/g, "\n").trimEnd()}\n`, value, edits);
  if (edited !== undefined) return edited;
  const printed = printAnew(wanted);
  return stands(printed, wanted) ? printed : printJson(wanted);
}

/**
 * `text` with only the edited lines changed; `undefined` where that is not safe.
 *
 * Takes:  `text`, a document of which every line, also the last, ends with a line feed; `value`, its value.
 */
export function editInPlace(text: string, value: unknown, edits: readonly FieldEdit[]): string | undefined {
  const { contents } = parseDocument(text, { logLevel: "silent" });
  const splices = edits.map((edit) => removalSplice(text, contents, edit.path, edit.value));
  if (!splices.every((one) => one !== undefined)) return undefined;
  const edited = applySplices(text, splices);
  return stands(edited, applyEdits(value, edits)) ? edited : undefined;
}

/** Whether `text` has the value `wanted`. Checked before each write, so that a wrong edit is never written. */
export function stands(text: string, wanted: unknown): boolean {
  const reading = readYaml("", { kind: "bytes", bytes: Buffer.from(text) });
  return reading.kind === "read" && canonicalJson(reading.file.value) === canonicalJson(wanted);
}

/** Block style, no folding; text that a YAML parser could take for another type is quoted. */
function printAnew(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && isGuessed(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** JSON is also YAML. It can escape the characters that parsers treat differently: unusual line ends, byte order marks. */
function printJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(
    /[\u007f-\u00a0\u2000-\u200f\u2028-\u202f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${text}\n`;
}

function isGuessed(text: string): boolean {
  return ambiguity(text) !== undefined || isTyped(text);
}

/** A text that replaces the text between two offsets. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies `splices`, which must not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  // From the end, so that offsets stay valid; at one offset, a removal goes before an insertion.
  return splices
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((edited, { start, end, text: put }) => edited.slice(0, start) + put + edited.slice(end), text);
}

function removalSplice(
  text: string,
  node: ParsedNode | null,
  path: readonly string[],
  value: string | undefined,
): Splice | undefined {
  const [key, ...rest] = path;
  if (!isMap(node) || node.flow === true) return undefined;
  const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (pair === undefined) return value === undefined ? undefined : insertion(text, node, path, value);
  if (rest.length > 0) return removalSplice(text, pair.value, rest, value);
  if (value !== undefined) return replacement(text, pair.value, value);
  const end = pair.value?.range[1] ?? pair.key.range[1];
  const start = lineStart(text, pair.key.range[0]);
  return { start, end: text[end - 1] === "\n" ? end : text.indexOf("\n", end) + 1, text: "" };
}

type BlockMap = Extract<ParsedNode, { items: { key: ParsedNode; value: ParsedNode | null }[] }>;

/** Inserts a new field after the name, or else at the start of its map: both places begin a line. */
function insertion(
  text: string,
  { items, range }: BlockMap,
  path: readonly string[],
  value: string,
): Splice | undefined {
  const [offset] = range;
  const head = lineStart(text, offset);
  const indent = text.slice(head, offset);
  if (indent.trim() !== "") return undefined;
  const name = items.find(({ key }) => isScalar(key) && key.value === "name")?.value;
  const start = isScalar(name) ? text.indexOf("\n", name.range[1]) + 1 : head;
  const lines = path.map((key, depth) => `${indent}${"  ".repeat(depth)}${key}:`).join("\n");
  return { start, end: start, text: `${lines} ${scalarText(value, "PLAIN")}\n` };
}

function replacement(text: string, node: ParsedNode | null, value: string): Splice | undefined {
  if (!isScalar(node)) return undefined;
  const [start, end] = node.range;
  // `key:` without a value has no blank after the colon.
  const blank = text[start - 1] === ":" ? " " : "";
  return { start, end, text: blank + scalarText(value, node.type) };
}

function scalarText(value: string, type: string | undefined): string {
  if (type === "QUOTE_SINGLE") return `'${value}'`;
  return type === "QUOTE_DOUBLE" || isGuessed(value) ? JSON.stringify(value) : value;
}

/** The offset of the start of the line that holds `offset`. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** One change to an object: sets a field to a text, or removes it. */
export interface FieldEdit {
  /** Keys of maps. */
  readonly path: readonly string[];
  /** `undefined` removes the field. */
  readonly value: string | undefined;
  /** The source of the value, or the reason for the change; for display. */
  readonly because: string;
}

/** `value` after `edits`, in order. Missing maps on the way are created. */
export function applyEdits(value: unknown, edits: readonly FieldEdit[]): unknown {
  return edits.reduce((edited, { path, value: wanted }) => withField(edited, path, wanted), value);
}

function withField(value: unknown, [key, ...rest]: readonly string[], wanted: string | undefined): unknown {
  if (key === undefined) return wanted;
  const map = isRecord(value) ? value : {};
  const child = withField(map[key], rest, wanted);
  if (child !== undefined) return { ...map, [key]: child };
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
}
