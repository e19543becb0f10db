import { FILE_START, type Finding } from "../finding.ts";
import { readYaml, type YamlFile, type YamlReading } from "./read.ts";

/** The readable documents of a stream that are not empty, and the findings for the unreadable ones. */
export interface YamlStream {
  readonly files: readonly YamlFile[];
  readonly findings: readonly Finding[];
}

/** A line at which Kubernetes separates documents, whatever surrounds it. Source: YAMLReader of apimachinery. */
const BORDER = /^---/gm;

/** A line with more than a comment. */
const CONTENT = /^[ \t]*[^\s#]/m;

/**
 * Reads a file of several YAML documents as Kubernetes does, each by itself. What Kubernetes would refuse or ignore is
 * a finding. Lines count from the start of the file. Never throws.
 */
export function readYamlStream(path: string, bytes: Uint8Array): YamlStream {
  const text = Buffer.from(bytes).toString("latin1");
  const starts = [0, ...[...text.matchAll(BORDER)].map(({ index }) => index)];
  const [files, findings]: [YamlFile[], Finding[]] = [[], []];
  let firstLine = 0;
  for (const [index, start] of starts.entries()) {
    const document = text.slice(start, starts[index + 1]);
    // Spaces replace a border, so that a comment after it keeps its column.
    const content = document.replace(BORDER, "   ");
    const reading = CONTENT.test(content) ? (readBorders(path, document) ?? readDocument(path, content)) : undefined;
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

/** Refuses a document of which Kubernetes reads only a part, or nothing; `undefined` for any other. */
function readBorders(path: string, document: string): YamlReading | undefined {
  const refuse = (before: string, message: string, remedy: string): YamlReading => {
    const line = before.split("\n").length;
    return { kind: "refused", findings: [{ ...HERE, file: path, line, message, remedy }] };
  };
  if (/^---[ \t]*[^\s#]/.test(document))
    return refuse("", "Kubernetes refuses text after ---, unless it is a comment.", "Begin it on the next line.");
  const end = /^\.\.\.(?!\S)/m.exec(document);
  if (end === null || !CONTENT.test(document.slice(end.index + end[0].length))) return undefined;
  const message = "Kubernetes ignores everything from here to the next line of ---.";
  return refuse(document.slice(0, end.index), message, "Replace ... by ---.");
}

const HERE = { ...FILE_START, rule: "yaml-documents", severity: "error" } as const;

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
