import type { Finding } from "../finding.ts";
import { readYaml, type YamlFile, type YamlReading } from "./read.ts";

/** The readable documents of a stream that are not empty, and the findings for the unreadable ones. */
export interface YamlStream {
  readonly files: readonly YamlFile[];
  readonly findings: readonly Finding[];
}

/** A line that separates documents: YAML allows it nowhere else, not even in a block scalar. */
const BORDER = /^(---|\.\.\.)(?=[ \t\r\n]|$)/gm;

/** Reads a file of several YAML documents, each by itself. Lines count from the start of the file. Never throws. */
export function readYamlStream(path: string, bytes: Uint8Array): YamlStream {
  const text = Buffer.from(bytes).toString("latin1");
  const starts = [0, ...[...text.matchAll(BORDER)].map(({ index }) => index)];
  const [files, findings]: [YamlFile[], Finding[]] = [[], []];
  let firstLine = 0;
  for (const [index, start] of starts.entries()) {
    const document = text.slice(start, starts[index + 1]);
    // Spaces replace a border, so that a value after it keeps its column.
    const content = document.replace(/^(---|\.\.\.)/, "   ");
    const hasMoreThanComments = /^[ \t]*[^\s#]/m.test(content);
    const reading = hasMoreThanComments ? readDocument(path, content) : undefined;
    if (reading?.kind === "read") {
      const { text, value } = reading.file;
      files.push({ path, text, value, firstLine });
    }
    for (const finding of reading?.kind === "refused" ? reading.findings : [])
      findings.push({ ...finding, line: finding.line + firstLine });
    firstLine += document.split("\n").length - 1;
  }
  return { files, findings };
}

/**
 * Reads one document, its bytes as latin1. A refused document is read again with its quoted text indented as the parser
 * demands. When that fails too, the first refusal is returned, since its columns are those of the file.
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

/** The text before a value: spaces, the dashes of lists, and a key. */
const BEFORE = /^( *(?:- +)*)((?:[^\s'"#][^'"#]*|'[^']*'|"[^"\\]*"):[ \t]+)?/.source;

/** A quoted scalar that does not end on its line. */
const OPENS = new RegExp(`${BEFORE}(?:(')(?:[^']|'')*|"(?:[^"\\\\]|\\\\.)*\\\\?)$`, "s");

/** The header of a block scalar. */
const BLOCK = new RegExp(`${BEFORE}[|>][-+0-9]*[ \\t\\r]*(?: #.*)?$`, "s");

/** The end of a quoted scalar that began on an earlier line. */
const CLOSES_SINGLE = /^(?:[^']|'')*'(?!')/;
const CLOSES_DOUBLE = /^(?:[^"\\]|\\.)*"/s;

/** The scalar that the following lines belong to. */
type Inside =
  | { readonly kind: "nothing" }
  /** `column` is the column of the key. */
  | { readonly kind: "quoted"; readonly column: number; readonly closes: RegExp }
  /** Every line that is empty or begins after `column`. */
  | { readonly kind: "block"; readonly column: number };

const NOTHING: Inside = { kind: "nothing" };

/**
 * Indents the continuation lines of quoted scalars deeper than their keys.
 *
 * YAML demands that indentation, but go-yaml neither writes nor demands it: older versions of controller-gen write
 * manifests without it, and kubectl reads them. The indentation does not change the value. The number of lines and all
 * block scalars stay the same.
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
  // The text of a list item is indented deeper than its dash, that of a key deeper than the key.
  return { kind: "block", column: key === undefined ? before.lastIndexOf("-") : before.length };
}
