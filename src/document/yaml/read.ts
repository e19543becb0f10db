import { isUtf8 } from "node:buffer";
import { constructFromEvents, CORE_SCHEMA, defineScalarTag, parseEvents, strTag, YAMLException } from "js-yaml";
import { FILE_START, type Finding, type Position } from "../finding.ts";
import { pooled } from "../pool.ts";
import { judgeLink, fileSizeLimit, type SnapshotFile } from "../snapshot.ts";
import { judgeNodes, shorten, type YamlProblem } from "./judge.ts";
import { isPlainStyle, secondOpinion } from "./secondOpinion.ts";
import { buildTree, yamlOffset, type YamlNode, type YamlPath } from "./tree.ts";

/** One YAML file that could be read: its text and its value. */
export interface YamlFile {
  readonly path: string;
  readonly text: string;
  readonly value: unknown;
  /** The number of lines before `text` in a file of several documents. */
  readonly firstLine?: number | undefined;
}

/** The result of reading a file: its value, or every problem that makes it unreadable. */
export type YamlReading =
  | { readonly kind: "read"; readonly file: YamlFile }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/**
 * Reads one file of a repository as a single YAML 1.2 document.
 *
 * js-yaml reads a catalogue of 10,000 files ten times faster than `yaml`, which is used where comments must survive an
 * edit. Text that the two, or YAML 1.1 and 1.2, would read differently is refused, so it does not matter which one
 * reads. Only text in plain style is not read by both. Never throws.
 */
export function readYaml(path: string, content: SnapshotFile): YamlReading {
  const { text, problems } = decode(path, content);
  if (problems.length > 0) return refuse(path, text, problems);
  const { value, problems: found } = understand(text);
  return found.length > 0 ? refuse(path, text, found) : { kind: "read", file: new ReadFile(path, content, value) };
}

/** Texts are pooled: as parts of the whole text they would keep it, and the files of a catalogue repeat most of them. */
const SCHEMA = CORE_SCHEMA.withTags(defineScalarTag(strTag.tagName, { resolve: pooled, identify: strTag.identify }));

/** A file that holds its content once, as bytes. */
class ReadFile implements YamlFile {
  readonly path: string;
  readonly value: unknown;
  readonly #content: SnapshotFile;

  constructor(path: string, content: SnapshotFile, value: unknown) {
    this.path = path;
    this.value = value;
    this.#content = content;
  }

  get text(): string {
    return decode(this.path, this.#content).text;
  }
}

interface Understanding {
  readonly value?: unknown;
  readonly problems: readonly YamlProblem[];
}

function understand(text: string): Understanding {
  try {
    const events = parseEvents(text, {});
    const tree = buildTree(text, events);
    const problems = judgeNodes(text, events, tree);
    if (problems.length > 0 || tree === undefined) return { problems };
    const [value] = constructFromEvents(events, { source: text, schema: SCHEMA });
    return { value, problems: isPlainStyle(text) ? [] : secondOpinion(text, tree, value) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { position: offset = 0 } = { ...error.mark };
    return { problems: [{ offset, ...syntaxProblem(error.reason) }] };
  }
}

function syntaxProblem(reason: string): Omit<YamlProblem, "offset"> {
  const [, most] = /^nesting exceeded maxDepth \((\d+)\)/.exec(reason) ?? [];
  if (most === undefined)
    return {
      rule: "yaml-syntax",
      message: `This is not YAML: ${shorten(reason, 200)}.`,
      remedy: "Correct the syntax.",
    };
  return { rule: "yaml-size", message: `The file is nested deeper than ${most} levels.`, remedy: "Make it flatter." };
}

function refuse(
  path: string,
  text: string,
  problems: readonly YamlProblem[],
): Extract<YamlReading, { kind: "refused" }> {
  const positionAt = textPositions(text);
  const findings = problems.map(({ offset, rule, message, remedy }): Finding => {
    return { rule, severity: "error", file: path, ...positionAt(offset), message, remedy };
  });
  return { kind: "refused", findings };
}

/** The findings for a file that has no bytes. */
export function refusals(path: string, file: Exclude<SnapshotFile, { kind: "bytes" }>): readonly Finding[] {
  const { text, problems } = decode(path, file);
  return refuse(path, text, problems).findings;
}

/** The position of the value at `path` in `file`; for a missing value, that of its nearest parent. */
export function locate(file: YamlFile, path: YamlPath): Position {
  const { tree, positionAt } = yamlPlaces(file);
  const { line, column } = tree === undefined ? FILE_START : positionAt(yamlOffset(tree, path));
  return { line: line + (file.firstLine ?? 0), column };
}

/** An error at the value at `path`. */
export function errorAt(file: YamlFile, path: YamlPath, rule: string, message: string, remedy: string): Finding {
  return { rule, severity: "error", file: file.path, ...locate(file, path), message, remedy };
}

interface Places {
  readonly tree: YamlNode | undefined;
  readonly positionAt: Positions;
}

/** The number of files in the cache: a verdict names lines of a few files, in turn. More would hold whole catalogues. */
const MAX_CACHED = 16;

// A file can have a hundred thousand problems, so its tree is built once. The most recently used file is the last.
const cache = new Map<YamlFile, Places>();

function yamlPlaces(file: YamlFile): Places {
  const known = cache.get(file);
  cache.delete(file);
  const places = known ?? {
    tree: buildTree(file.text, parseEvents(file.text, {})),
    positionAt: textPositions(file.text),
  };
  cache.set(file, places);
  for (const oldest of [...cache.keys()].slice(0, -MAX_CACHED)) cache.delete(oldest);
  return places;
}

/** The text of a file; when it cannot be decoded, the text before the problem. */
interface Decoding {
  readonly text: string;
  readonly problems: readonly YamlProblem[];
}

function decode(path: string, content: SnapshotFile): Decoding {
  switch (content.kind) {
    case "too-large": {
      const message = `The file has ${content.size} bytes, more than ${fileSizeLimit(path)}.`;
      const remedy = "Make it smaller: an object of that size does not fit into a control plane.";
      return { text: "", problems: [{ offset: 0, rule: "file-size", message, remedy }] };
    }
    case "bad-link":
      return { text: "", problems: [{ offset: 0, ...judgeLink(content.target) }] };
    case "bytes": {
      if (isUtf8(content.bytes)) return { text: new TextDecoder().decode(content.bytes), problems: [] };
      const text = textBefore(content.bytes);
      const [message, remedy] = ["The file is not UTF-8 from here on.", "Save it as UTF-8."];
      return { text, problems: [{ offset: text.length, rule: "file-encoding", message, remedy }] };
    }
  }
}

const REPLACEMENT = "\uFFFD";
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** The text before the first byte that is not UTF-8. The decoder puts U+FFFD there, but the file may hold some, too. */
function textBefore(bytes: Uint8Array): string {
  let text = "";
  let size = 0;
  for (const piece of new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split(REPLACEMENT)) {
    text += piece;
    size += Buffer.byteLength(piece);
    if (!REPLACEMENT_BYTES.equals(bytes.subarray(size, size + REPLACEMENT_BYTES.length))) break;
    text += REPLACEMENT;
    size += REPLACEMENT_BYTES.length;
  }
  return text.replace(/^\uFEFF/, "");
}

/** Converts an offset into a text to a line and a column. */
type Positions = (offset: number) => Position;

/** The positions of `text`. Splits it once: a file of a megabyte can have some hundred thousand problems. */
function textPositions(text: string): Positions {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return (offset) => {
    let [first, last] = [0, starts.length - 1];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if (Number(starts[middle]) <= offset) first = middle;
      else last = middle - 1;
    }
    return { line: first + 1, column: offset - Number(starts[first]) + 1 };
  };
}

/** The line and column of an offset into `text`; both count from 1. */
export function positionAt(text: string, offset: number): Position {
  return textPositions(text)(offset);
}
