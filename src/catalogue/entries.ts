import { isMap, isScalar, isSeq, parseDocument, type YAMLSeq } from "yaml";
import type { Module } from "./catalogue.ts";
import type { Hold, Hotfix } from "./policy.ts";
import { applySplices, lineStart, stands, type Splice } from "../document/yaml/edit.ts";
import { blockLines, flowText, hang } from "../document/yaml/print.ts";

/** What is to be done to the entries of a file. */
export interface EntryChange<Entry> {
  /** What becomes of an entry: itself, another, or nothing. All stay as they are when undefined. */
  readonly become?: (entry: Entry) => Entry | undefined;
  /** What comes at the end. */
  readonly added?: readonly Entry[];
}

/**
 * The text of a module's `holds.yaml` after `change`; see `changeHotfixes`.
 *
 * Takes:  the module as the catalogue has it; `undefined`, and one without the file, begin with an empty list.
 */
export function changeHolds(module: Module | undefined, change: EntryChange<Hold>): string {
  return changed("holds", { text: module?.files.holds?.text, entries: module?.holds ?? [] }, change);
}

/**
 * The text of a module's `hotfixes.yaml` after `change`.
 *
 * Comments, order and layout of what stays are kept; comments directly above an entry go with it. Where that cannot be
 * done safely, the file is written anew under the comments of its head.
 */
export function changeHotfixes(module: Module | undefined, change: EntryChange<Hotfix>): string {
  return changed("hotfixes", { text: module?.files.hotfixes?.text, entries: module?.hotfixes ?? [] }, change);
}

type List = "holds" | "hotfixes";

interface Before<Entry> {
  readonly text: string | undefined;
  readonly entries: readonly Entry[];
}

function changed<Entry>(
  list: List,
  { text, entries }: Before<Entry>,
  { become = (entry) => entry, added = [] }: EntryChange<Entry>,
): string {
  const fates = entries.map((entry) => ({ entry, becomes: become(entry) }));
  const wanted = [...fates.flatMap(({ becomes }) => becomes ?? []), ...added];
  const value = { format: 1, [list]: wanted };
  if (text === undefined) return [headOf(list), ...blockLines(value), ""].join("\n");
  const lines = `${text.replaceAll("\r\n", "\n").trimEnd()}\n`;
  const edited = splice(lines, list, { fates, added, isEmpty: wanted.length === 0 });
  // An edit that went wrong is never written.
  const safe = edited !== undefined && stands(edited, value) ? edited : anew(lines, list, value);
  return text.includes("\r\n") ? safe.replaceAll("\n", "\r\n") : safe;
}

function headOf(list: List): string {
  return `# yaml-language-server: $schema=../../schemas/${list}.schema.json`;
}

function anew(text: string, list: List, value: unknown): string {
  const head = /^(?:#.*\n)+/.exec(text)?.[0] ?? `${headOf(list)}\n`;
  return `${head}${blockLines(value).join("\n")}\n`;
}

interface Fate {
  readonly entry: unknown;
  /** `entry` itself, another one, or nothing. */
  readonly becomes: unknown;
}

interface ListEdit {
  readonly fates: readonly Fate[];
  readonly added: readonly unknown[];
  /** Whether nothing will be left. */
  readonly isEmpty: boolean;
}

/** The edited text; `undefined` where the list is not where it is looked for. */
function splice(text: string, key: List, work: ListEdit): string | undefined {
  const { contents: root } = parseDocument(text, { logLevel: "silent" });
  if (!isMap(root)) return undefined;
  const pair = root.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (!isSeq(pair?.value)) return undefined;
  const place = { list: pair.value, colon: text.indexOf(":", pair.key.range[1]), isInFlow: root.flow === true };
  return applySplices(text, splicesOf(text, place, work));
}

interface ListPlace {
  readonly list: YAMLSeq.Parsed;
  /** The offset of the colon behind its key. */
  readonly colon: number;
  /** Whether the file is in brackets as a whole. */
  readonly isInFlow: boolean;
}

function splicesOf(text: string, place: ListPlace, work: ListEdit): readonly Splice[] {
  const { list, isInFlow } = place;
  if (list.flow !== true) return blockSplices(text, place, work);
  return list.items.length > 0 || isInFlow ? [flowSplice(text, list, work)] : openingSplices(text, list, work);
}

/** `holds: []` in a file of block style: the entries come below. */
function openingSplices(
  text: string,
  { range: [start, end] }: ListPlace["list"],
  { added }: ListEdit,
): readonly Splice[] {
  if (added.length === 0) return [];
  const below = lineEnd(text, end);
  return [
    { start: text.slice(0, start).trimEnd().length, end, text: "" },
    { start: below, end: below, text: entryText("  ", added) },
  ];
}

/** A list in brackets, as in JSON, is put together again from the texts of its entries. */
function flowSplice(
  text: string,
  { items, range: [start, end] }: ListPlace["list"],
  { fates, added }: ListEdit,
): Splice {
  const texts = items.flatMap(({ range: [from, to] }, index) =>
    fates.slice(index, index + 1).flatMap(({ entry, becomes }) => {
      if (becomes === entry) return [text.slice(from, to)];
      return becomes === undefined ? [] : [flowText(becomes)];
    }),
  );
  return { start, end, text: `[${[...texts, ...added.map(flowText)].join(", ")}]` };
}

function blockSplices(
  text: string,
  { list, colon }: ListPlace,
  { fates, added, isEmpty }: ListEdit,
): readonly Splice[] {
  const [first, last] = list.range;
  const indent = text.slice(lineStart(text, first), first);
  const splices = list.items.flatMap(({ range: [from, to] }, index) =>
    fates.slice(index, index + 1).flatMap(({ entry, becomes }): readonly Splice[] => {
      if (becomes === entry) return [];
      const dash = lineStart(text, text.lastIndexOf("-", from - 1));
      const end = lineEnd(text, to);
      if (becomes === undefined) return [{ start: commentStart(text, dash, indent), end, text: "" }];
      return [{ start: dash, end, text: entryText(indent, [becomes]) }];
    }),
  );
  const below = lineEnd(text, last);
  const empty = { start: colon + 1, end: colon + 1, text: isEmpty ? " []" : "" };
  return [empty, ...splices, { start: below, end: below, text: entryText(indent, added) }];
}

function entryText(indent: string, entries: readonly unknown[]): string {
  return entries
    .flatMap((entry) => hang(`${indent}- `, `${indent}  `, blockLines(entry)))
    .map((line) => `${line}\n`)
    .join("");
}

/** The start of the line below, for the end of a value: that of a map in block style is there already. */
function lineEnd(text: string, offset: number): number {
  return text[offset - 1] === "\n" ? offset : text.indexOf("\n", offset) + 1;
}

/** Where the comments begin that stand directly above the line at `start`, as deep as it. */
function commentStart(text: string, start: number, indent: string): number {
  const above = lineStart(text, start - 1);
  return text.startsWith(`${indent}#`, above) ? commentStart(text, above, indent) : start;
}
