import { constructFromEvents, EVENT_ID, parseEvents, YAMLException, type Event } from "js-yaml";
import { FILE_START, type Finding, type Position } from "./finding.ts";
import { MAX_FILE_BYTES, type SnapshotFile } from "./snapshot.ts";
import { ambiguity, isTyped } from "./yamlScalar.ts";
import { buildTree, offsetOf, walkTree, type YamlNode, type YamlPath } from "./yamlTree.ts";

/** One YAML file that could be read: its text and the value it stands for. */
export interface YamlFile {
  readonly path: string;
  readonly text: string;
  readonly value: unknown;
}

/** What became of a file: a value, or everything that keeps it from having one. */
export type YamlReading =
  | { readonly kind: "read"; readonly file: YamlFile }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/** No document may stand for more nodes than this once its aliases are written out. */
const MAX_NODES = 100_000;

/**
 * Reads one file of a repository as a single YAML 1.2 document.
 *
 * js-yaml reads a catalogue of 10,000 files ten times faster than `yaml`; `yaml` is used where comments must survive an
 * edit. Everything that the two, or YAML 1.1 and 1.2, would read differently is refused, so it does not matter which
 * one reads. Never throws.
 */
export function readYaml(path: string, content: SnapshotFile): YamlReading {
  const problem = new Problems(path);
  const text = decode(content, problem);
  if (text === undefined) return problem.refused();
  try {
    const events = parseEvents(text, {});
    judge(text, events, problem);
    if (problem.none()) return { kind: "read", file: { path, text, value: construct(text, events) } };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    problem.at(
      positionAt(text, error.mark?.position ?? 0),
      "yaml-syntax",
      `This is not YAML: ${error.reason}.`,
      "Correct the syntax.",
    );
  }
  return problem.refused();
}

/** Where the value at `path` stands in `file`; for a missing one, its nearest parent. */
export function locate(file: YamlFile, path: YamlPath): Position {
  const tree = buildTree(file.text, parseEvents(file.text, {}));
  return tree === undefined ? FILE_START : positionAt(file.text, offsetOf(tree, path));
}

function construct(text: string, events: Event[]): unknown {
  return constructFromEvents(events, { source: text })[0];
}

function decode(content: SnapshotFile, problem: Problems): string | undefined {
  switch (content.kind) {
    case "too-large":
      problem.at(
        FILE_START,
        "file-size",
        `The file has ${content.size} bytes, more than ${MAX_FILE_BYTES}.`,
        "Make it smaller: an object of that size does not fit into a control plane.",
      );
      return undefined;
    case "bad-link":
      problem.at(
        FILE_START,
        "file-link",
        `The file is a symbolic link to ${content.target}, which is not in this repository.`,
        "Replace the link by the file itself.",
      );
      return undefined;
    case "bytes":
      return decodeUtf8(content.bytes, problem);
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Uint8Array, problem: Problems): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const before = new TextDecoder().decode(bytes).split("\uFFFD")[0] ?? "";
    problem.at(
      positionAt(before, before.length),
      "file-encoding",
      "The file is not UTF-8 from here on.",
      "Save it as UTF-8.",
    );
    return undefined;
  }
}

function judge(text: string, events: readonly Event[], problem: Problems): void {
  judgeDocuments(text, events, problem);
  const tree = buildTree(text, events);
  if (tree === undefined) return;
  judgeAliases(text, tree, problem);
  walkTree(tree, (node) => {
    judgeScalar(text, node, problem);
    judgeKeys(text, node, problem);
  });
}

function judgeDocuments(text: string, events: readonly Event[], problem: Problems): void {
  const documents = events.filter((event) => event.type === EVENT_ID.DOCUMENT);
  if (documents.length === 0) problem.at(FILE_START, "yaml-documents", "The file is empty.", "Fill it or remove it.");
  if (documents.some(({ directives }) => directives.length > 0)) {
    problem.at(
      FILE_START,
      "yaml-directive",
      "A % directive changes how the file is read.",
      "Remove the line that begins with %.",
    );
  }
  if (documents.length > 1) {
    const second = /^---/gm;
    second.lastIndex = text.search(/\S/) + 1;
    problem.at(
      positionAt(text, second.exec(text)?.index ?? 0),
      "yaml-documents",
      `The file holds ${documents.length} documents.`,
      "Keep one document a file.",
    );
  }
}

function judgeScalar(text: string, node: YamlNode, problem: Problems): void {
  if (node.kind !== "scalar" || !node.plain) return;
  const why = ambiguity(node.text);
  if (why === undefined) return;
  problem.at(
    positionAt(text, node.start),
    "yaml-ambiguous",
    `${node.text} is ${why}.`,
    `Put it in quotes if text is meant ("${node.text}"), or write the value out.`,
  );
}

function judgeKeys(text: string, node: YamlNode, problem: Problems): void {
  if (node.kind !== "map") return;
  const seen = new Set<string>();
  for (const { key } of node.pairs) {
    const at = (): Position => positionAt(text, key.start);
    if (key.kind !== "scalar" || (key.plain && isTyped(key.text)) || key.text === "__proto__") {
      problem.at(at(), "yaml-key", "This key is not text.", "Put it in quotes, or use a name.");
    } else if (seen.has(key.text)) {
      problem.at(at(), "yaml-duplicate-key", `The key ${key.text} stands here twice.`, "Keep one of them.");
    } else seen.add(key.text);
  }
}

/** Measures how large each anchor is when written out; refuses what grows without bound or contains itself. */
function judgeAliases(text: string, tree: YamlNode, problem: Problems): void {
  const sizes = new Map<string, number>();
  const measure = (node: YamlNode): number => {
    if (node.kind === "alias") {
      const size = sizes.get(node.anchor);
      if (size === undefined)
        problem.at(
          positionAt(text, node.start),
          "yaml-alias",
          `The alias *${node.anchor} stands for nothing that is complete before it.`,
          "Write the value out.",
        );
      return size ?? 1;
    }
    const size = 1 + sum(childrenOf(node).map(measure));
    if (node.anchor !== "") sizes.set(node.anchor, size);
    return size;
  };
  const size = measure(tree);
  if (size > MAX_NODES) {
    problem.at(
      FILE_START,
      "yaml-alias",
      `Written out, the aliases of this file make ${String(size)} values, more than ${MAX_NODES}.`,
      "Write the values out.",
    );
  }
}

function childrenOf(node: YamlNode): readonly YamlNode[] {
  switch (node.kind) {
    case "map":
      return node.pairs.flatMap(({ key, value }) => [key, value]);
    case "list":
      return node.items;
    case "scalar":
    case "alias":
      return [];
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The line and column of an offset into `text`; both count from 1. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

/** Collects what is wrong with one file. */
class Problems {
  readonly #file: string;
  readonly #findings: Finding[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  at(position: Position, rule: string, message: string, remedy: string): void {
    this.#findings.push({ rule, severity: "error", file: this.#file, ...position, message, remedy });
  }

  none(): boolean {
    return this.#findings.length === 0;
  }

  refused(): YamlReading {
    return { kind: "refused", findings: this.#findings };
  }
}
