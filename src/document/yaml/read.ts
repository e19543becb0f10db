import { isUtf8 } from "node:buffer";
import { constructFromEvents, parseEvents, YAMLException } from "js-yaml";
import { FILE_START, type Finding, type Position } from "../finding.ts";
import { judgeLink, maxBytesOf, type SnapshotFile } from "../snapshot.ts";
import { judgeNodes, shorten, type YamlProblem } from "./judge.ts";
import { isPlainStyle, secondOpinion } from "./secondReader.ts";
import { buildTree, offsetOf, type YamlNode, type YamlPath } from "./tree.ts";

/** One YAML file that could be read: its text and the value it stands for. */
export interface YamlFile {
  readonly path: string;
  readonly text: string;
  readonly value: unknown;
  /** How many lines stand before `text` in a file of several documents. */
  readonly firstLine?: number;
}

/** What became of a file: a value, or everything that keeps it from having one. */
export type YamlReading =
  | { readonly kind: "read"; readonly file: YamlFile }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/**
 * Reads one file of a repository as a single YAML 1.2 document.
 *
 * js-yaml reads a catalogue of 10,000 files ten times faster than `yaml`; `yaml` is used where comments must survive an
 * edit. Everything that the two, or YAML 1.1 and 1.2, would read differently is refused, so it does not matter which
 * one reads: a text that is not plain enough to be above doubt is read by both. Never throws.
 */
export function readYaml(path: string, content: SnapshotFile): YamlReading {
  const { text, problems } = decode(path, content);
  if (problems.length > 0) return refuse(path, text, problems);
  const { value, problems: found } = understand(text);
  return found.length > 0 ? refuse(path, text, found) : { kind: "read", file: { path, text, value } };
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
    const [value] = constructFromEvents(events, { source: text });
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
  const positionAt = positionsOf(text);
  const findings = problems.map(({ offset, rule, message, remedy }): Finding => {
    return { rule, severity: "error", file: path, ...positionAt(offset), message, remedy };
  });
  return { kind: "refused", findings };
}

/** Why a file that has no bytes cannot be read. */
export function refusals(path: string, file: Exclude<SnapshotFile, { kind: "bytes" }>): readonly Finding[] {
  const { text, problems } = decode(path, file);
  return refuse(path, text, problems).findings;
}

/** Where the value at `path` stands in `file`; for a missing one, its nearest parent. */
export function locate(file: YamlFile, path: YamlPath): Position {
  const { tree, positionAt } = placesOf(file);
  const { line, column } = tree === undefined ? FILE_START : positionAt(offsetOf(tree, path));
  return { line: line + (file.firstLine ?? 0), column };
}

interface Places {
  readonly tree: YamlNode | undefined;
  readonly positionAt: Positions;
}

/** Files whose places are remembered: a verdict names lines of a few files, in turn. More would hold whole catalogues. */
const REMEMBERED = 16;

// A file can have a hundred thousand problems: its tree is built once. Those that were asked for last stand last.
const remembered = new Map<YamlFile, Places>();

function placesOf(file: YamlFile): Places {
  const known = remembered.get(file);
  remembered.delete(file);
  const places = known ?? {
    tree: buildTree(file.text, parseEvents(file.text, {})),
    positionAt: positionsOf(file.text),
  };
  remembered.set(file, places);
  for (const oldest of [...remembered.keys()].slice(0, -REMEMBERED)) remembered.delete(oldest);
  return places;
}

/** The text of a file; if it has none, the text before the problem. */
interface Decoding {
  readonly text: string;
  readonly problems: readonly YamlProblem[];
}

function decode(path: string, content: SnapshotFile): Decoding {
  switch (content.kind) {
    case "too-large": {
      const message = `The file has ${content.size} bytes, more than ${maxBytesOf(path)}.`;
      const remedy = "Make it smaller: an object of that size does not fit into a control plane.";
      return { text: "", problems: [{ offset: 0, rule: "file-size", message, remedy }] };
    }
    case "bad-link":
      return { text: "", problems: [{ offset: 0, ...judgeLink(content.target) }] };
    case "bytes":
      return decodeUtf8(content.bytes);
  }
}

function decodeUtf8(bytes: Uint8Array): Decoding {
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes), problems: [] };
  const text = textBefore(bytes);
  const [message, remedy] = ["The file is not UTF-8 from here on.", "Save it as UTF-8."];
  return { text, problems: [{ offset: text.length, rule: "file-encoding", message, remedy }] };
}

const REPLACEMENT = "\uFFFD";
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** What stands before the first byte that is not UTF-8. The decoder puts U+FFFD there, but the file may hold some, too. */
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

/** Turns offsets into a text into lines and columns. */
type Positions = (offset: number) => Position;

/** The positions of `text`. Counts its lines once: a file of a megabyte can have some hundred thousand problems. */
function positionsOf(text: string): Positions {
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
  return positionsOf(text)(offset);
}
