import type { Finding } from "../finding.ts";
import { readYaml, type YamlFile, type YamlReading } from "./read.ts";

/** The documents of a stream that hold something, and what is wrong with the others. */
export interface YamlStream {
  readonly files: readonly YamlFile[];
  readonly findings: readonly Finding[];
}

/** A line that can only be the border of two documents: YAML allows it nowhere else, not even in a block of text. */
const BORDER = /^(---|\.\.\.)(?=[ \t\r\n]|$)/gm;

/** Reads a file of several YAML documents; each by itself, with the lines of the whole. Never throws. */
export function readYamlStream(path: string, bytes: Uint8Array): YamlStream {
  const text = Buffer.from(bytes).toString("latin1");
  const starts = [0, ...[...text.matchAll(BORDER)].map(({ index }) => index)];
  const [files, findings]: [YamlFile[], Finding[]] = [[], []];
  let firstLine = 0;
  for (const [index, start] of starts.entries()) {
    const document = text.slice(start, starts[index + 1]);
    // A border is replaced by as many spaces, so that a value behind it keeps its column.
    const content = document.replace(/^(---|\.\.\.)/, "   ");
    const reading = hasContent(content) ? readDocument(path, content) : undefined;
    if (reading?.kind === "read") files.push({ ...reading.file, firstLine });
    for (const finding of reading?.kind === "refused" ? reading.findings : [])
      findings.push({ ...finding, line: finding.line + firstLine });
    firstLine += document.split("\n").length - 1;
  }
  return { files, findings };
}

/** Whether a document holds more than comments. */
function hasContent(text: string): boolean {
  return /^[ \t]*[^\s#]/m.test(text);
}

/**
 * Reads one document, bytes as latin1. What is refused is read once more with quoted text indented as the parser wants
 * it; where that is of no use, the first refusal counts, since its columns are those of the file.
 */
function readDocument(path: string, content: string): YamlReading {
  const reading = readBytes(path, content);
  if (reading.kind === "read") return reading;
  const indented = readBytes(path, indentQuoted(content));
  return indented.kind === "read" ? indented : reading;
}

function readBytes(path: string, content: string): YamlReading {
  return readYaml(path, { kind: "bytes", bytes: Buffer.from(content, "latin1") });
}

/** What may stand before a value: spaces, the dashes of lists, and a key. */
const BEFORE = /^( *(?:- +)*)((?:[^\s'"#][^'"#]*|'[^']*'|"[^"\\]*"):[ \t]+)?/.source;

/** A quoted text that does not end on its line. */
const OPENS = new RegExp(`${BEFORE}(?:(')(?:[^']|'')*|"(?:[^"\\\\]|\\\\.)*\\\\?)$`, "s");

/** The header of a block of text. */
const BLOCK = new RegExp(`${BEFORE}[|>][-+0-9]*[ \\t\\r]*(?: #.*)?$`, "s");

/** The end of a quoted text that began on a line before. */
const CLOSES_SINGLE = /^(?:[^']|'')*'(?!')/;
const CLOSES_DOUBLE = /^(?:[^"\\]|\\.)*"/s;

/** What the lines that follow belong to. */
type Inside =
  | { readonly kind: "nothing" }
  /** `column`: that of the key. */
  | { readonly kind: "quoted"; readonly column: number; readonly closes: RegExp }
  /** Every line that is empty or begins behind `column`. */
  | { readonly kind: "block"; readonly column: number };

const NOTHING: Inside = { kind: "nothing" };

/**
 * Indents the lines on which a quoted text goes on deeper than its key.
 *
 * YAML demands that, but go-yaml neither writes nor demands it, so manifests of older versions of controller-gen do
 * without, and kubectl reads them. How deep such a line is indented plays no role for the text. Lines stay lines, and
 * blocks of text stay as they are.
 */
function indentQuoted(text: string): string {
  let inside: Inside = NOTHING;
  const lines = text.split("\n").map((line) => {
    const column = line.length - line.trimStart().length;
    const isEmpty = column === line.length;
    if (inside.kind === "quoted") {
      const missing = isEmpty ? 0 : Math.max(inside.column + 1 - column, 0);
      if (inside.closes.test(line)) inside = NOTHING;
      return " ".repeat(missing) + line;
    }
    if (inside.kind !== "block" || (!isEmpty && column <= inside.column)) inside = opened(line);
    return line;
  });
  return lines.join("\n");
}

function opened(line: string): Inside {
  const quoted = OPENS.exec(line);
  if (quoted !== null) {
    const [, { length: column } = "", , single] = quoted;
    return { kind: "quoted", column, closes: single === undefined ? CLOSES_DOUBLE : CLOSES_SINGLE };
  }
  const block = BLOCK.exec(line);
  if (block === null) return NOTHING;
  const [, before = "", key] = block;
  // The text of an element of a list begins behind its dash, that of a key behind the column of the key.
  return { kind: "block", column: key === undefined ? before.lastIndexOf("-") : before.length };
}
