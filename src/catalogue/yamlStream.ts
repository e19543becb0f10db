import type { Finding } from "./finding.ts";
import { readYaml, type YamlFile, type YamlReading } from "./yaml.ts";
import { indentQuoted } from "./yamlIndent.ts";

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
