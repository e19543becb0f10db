import { isMap, isScalar, isSeq, parseDocument, type YAMLSeq } from "yaml";
import type { Module } from "./catalogue.ts";
import type { Hold, Hotfix } from "./policy.ts";
import { applySplices, lineStart, stands, type Splice } from "../document/yaml/edit.ts";
import { blockLines, flowText, hang } from "../document/yaml/print.ts";

/** A change to the entries of a file. */
export interface EntryChange<Entry> {
  /** Maps an entry to itself, to its replacement, or to `undefined` to remove it. Without it, all entries stay. */
  readonly become?: (entry: Entry) => Entry | undefined;
  /** New entries, for the end of the list. */
  readonly added?: readonly Entry[];
}

/**
 * The text of a module's `holds.yaml` after `change`; see `changeHotfixes`.
 *
 * Takes:  the module of the catalogue. Without a module or without the file, the list begins empty.
 */
export function changeHolds(module: Module | undefined, change: EntryChange<Hold>): string {
  return changed("holds", { text: module?.files.holds?.text, entries: module?.holds ?? [] }, change);
}

/**
 * The text of a module's `hotfixes.yaml` after `change`.
 *
 * Entries that stay keep their comments, order and layout; the comments directly above an entry are removed with it.
 * Where that is not safe, the file is printed anew below the comments at its start.
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
  if (text === undefined) return [listHead(list), ...blockLines(value), ""].join("\n");
  const lines = `${text.replaceAll("\r\n", "\n").trimEnd()}\n`;
  const edited = splice(lines, list, { fates, added, isEmpty: wanted.length === 0 });
  // A wrong edit is never written.
  const safe = edited !== undefined && stands(edited, value) ? edited : anew(lines, list, value);
  return text.includes("\r\n") ? safe.replaceAll("\n", "\r\n") : safe;
}

function listHead(list: List): string {
  return `# yaml-language-server: $schema=../../schemas/${list}.schema.json`;
}

function anew(text: string, list: List, value: unknown): string {
  const head = /^(?:#.*\n)+/.exec(text)?.[0] ?? `${listHead(list)}\n`;
  return `${head}${blockLines(value).join("\n")}\n`;
}

interface Fate {
  readonly entry: unknown;
  /** `entry` itself, its replacement, or `undefined`. */
  readonly becomes: unknown;
}

interface ListEdit {
  readonly fates: readonly Fate[];
  readonly added: readonly unknown[];
  /** Whether no entry remains. */
  readonly isEmpty: boolean;
}

/** The edited text; `undefined` when the list is not found. */
function splice(text: string, key: List, work: ListEdit): string | undefined {
  const { contents: root } = parseDocument(text, { logLevel: "silent" });
  if (!isMap(root)) return undefined;
  const pair = root.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (!isSeq(pair?.value)) return undefined;
  const place = { list: pair.value, colon: text.indexOf(":", pair.key.range[1]), isInFlow: root.flow === true };
  return applySplices(text, listSplices(text, place, work));
}

interface ListPlace {
  readonly list: YAMLSeq.Parsed;
  /** The offset of the colon after its key. */
  readonly colon: number;
  /** Whether the whole file is in flow style. */
  readonly isInFlow: boolean;
}

function listSplices(text: string, place: ListPlace, work: ListEdit): readonly Splice[] {
  const { list, isInFlow } = place;
  if (list.flow !== true) return blockSplices(text, place, work);
  return list.items.length > 0 || isInFlow ? [flowSplice(text, list, work)] : openingSplices(text, list, work);
}

/** `holds: []` in a file of block style: the entries go below it. */
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

/** A list in flow style, as in JSON, is assembled from the texts of its entries. */
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

/** The start of the line below the end of a value. For a map in block style, the end is already there. */
function lineEnd(text: string, offset: number): number {
  return text[offset - 1] === "\n" ? offset : text.indexOf("\n", offset) + 1;
}

/** The start of the comments directly above the line at `start`, with the same indentation. */
function commentStart(text: string, start: number, indent: string): number {
  const above = lineStart(text, start - 1);
  return text.startsWith(`${indent}#`, above) ? commentStart(text, above, indent) : start;
}
