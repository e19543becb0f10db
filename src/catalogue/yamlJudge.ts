import { EVENT_ID, type Event } from "js-yaml";
import { judgeLayout } from "./yamlLayout.ts";
import type { Report, YamlProblem } from "./yamlPitfall.ts";
import { ambiguity, isTyped } from "./yamlScalar.ts";
import { buildTree, walkTree, type YamlNode } from "./yamlTree.ts";

/** No document may stand for more nodes than this once its aliases are written out. */
const MAX_NODES = 100_000;

type YamlScalar = Extract<YamlNode, { kind: "scalar" }>;

/** Everything in the documents of `text` that one reader of YAML could read differently than another. */
export function judgeNodes(text: string, events: readonly Event[]): readonly YamlProblem[] {
  const problems: YamlProblem[] = [];
  const report: Report = (offset, rule, message, remedy) => {
    problems.push({ offset, rule, message, remedy });
  };
  judgeDocuments(text, events, report);
  const tree = buildTree(text, events);
  if (tree === undefined) return problems;
  judgeAliases(tree, report);
  judgeLayout(text, tree, events, report);
  walkTree(tree, (node) => {
    judgeTag(node, report);
    judgeScalar(node, report);
    judgeKeys(node, report);
  });
  return problems;
}

function judgeDocuments(text: string, events: readonly Event[], report: Report): void {
  const documents = events.flatMap((event, index) => (event.type === EVENT_ID.DOCUMENT ? [index] : []));
  const [first, second] = documents;
  if (first === undefined) report(0, "yaml-documents", "The file is empty.", "Fill it or remove it.");
  if (second === undefined) return;
  report(
    markerAfter(text, events.slice(0, second)),
    "yaml-documents",
    `The file holds ${documents.length} documents.`,
    "Keep one document a file.",
  );
}

/** The line that ends the document of `events`: the first marker behind its last node, or behind its own marker. */
function markerAfter(text: string, events: readonly Event[]): number {
  const own = /^---/m.exec(text);
  const begin = events.some((event) => event.type === EVENT_ID.DOCUMENT && event.explicitStart) && own !== null;
  const from = events.map(endOf).reduce((a, b) => Math.max(a, b), begin ? own.index + 3 : 0);
  return from + text.slice(from).search(/^(?:---|\.\.\.)/m);
}

function endOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueEnd;
  return event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING ? event.start : 0;
}

function judgeTag(node: YamlNode, report: Report): void {
  if (node.tag === "" || (node.kind === "scalar" && (node.tag === "!" || node.tag === "!!str"))) return;
  const message = `The tag ${node.tag} is not known to every reader.`;
  report(node.start, "yaml-tag", message, "Remove it; text is put in quotes.");
}

function judgeScalar(node: YamlNode, report: Report): void {
  if (node.kind !== "scalar") return;
  const why = node.plain ? ambiguity(node.text) : undefined;
  if (why !== undefined) {
    const text = shorten(node.text);
    const remedy = `Put it in quotes if text is meant ("${text}"), or write the value out.`;
    report(node.start, "yaml-ambiguous", `${text} is ${why}.`, remedy);
  }
  if (node.block && node.text.includes(" ") && !/[^ \n]/.test(node.text)) {
    const message = "This block of text holds nothing but blanks: readers do not agree how many.";
    report(node.start, "yaml-blank-block", message, "Write the text in quotes.");
  }
  judgeEscapes(node, (message) => {
    report(node.start, "yaml-escape", message, "Write the text without escape sequences, or in a block.");
  });
}

// Each pair of backslashes is one character; what is left begins an escape sequence.
const ESCAPED_BREAK = /(?<!\\)(?:\\\\)*\\\r?\n[ \t]*\r?\n/;
const BEYOND_UNICODE = /(?<!\\)(?:\\\\)*\\U(?!000[0-9a-fA-F]|0010)/;

function judgeEscapes({ escaped, text }: YamlScalar, report: (message: string) => void): void {
  if (!escaped.includes("\\")) return;
  if (ESCAPED_BREAK.test(escaped))
    report("An empty line follows an escaped line end: readers differ in what it means.");
  if (BEYOND_UNICODE.test(escaped) || !text.isWellFormed()) report("An escape sequence stands for no character.");
}

function judgeKeys(node: YamlNode, report: Report): void {
  if (node.kind !== "map") return;
  const seen = new Set<string>();
  for (const { key } of node.pairs) {
    if (key.kind !== "scalar" || (key.plain && isTyped(key.text))) {
      report(key.start, "yaml-key", "This key is not text.", "Put it in quotes, or use a name.");
    } else if (key.text === "__proto__") {
      report(key.start, "yaml-key", "The key __proto__ means something else to JavaScript.", "Use another name.");
    } else if (seen.has(key.text)) {
      report(key.start, "yaml-duplicate-key", `The key ${shorten(key.text)} stands here twice.`, "Keep one of them.");
    } else seen.add(key.text);
  }
}

/** No message may grow with the file. */
function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Measures how large each anchor is when written out; refuses what grows without bound or contains itself. */
function judgeAliases(tree: YamlNode, report: Report): void {
  const sizes = new Map<string, number>();
  const measure = (node: YamlNode): number => {
    if (node.kind === "alias") {
      const size = sizes.get(node.anchor);
      if (size === undefined) {
        const message = `The alias *${node.anchor} stands for nothing that is complete before it.`;
        report(node.start, "yaml-alias", message, "Write the value out.");
      }
      return size ?? 1;
    }
    // An anchor hides an earlier one of its name already within its own value.
    sizes.delete(node.anchor);
    const size = childrenOf(node).reduce((total, child) => total + measure(child), 1);
    if (node.anchor !== "") sizes.set(node.anchor, size);
    return size;
  };
  const size = measure(tree);
  if (size > MAX_NODES) {
    const message = `The file stands for ${String(size)} values once its aliases are written out, more than ${MAX_NODES}.`;
    report(0, "yaml-size", message, "Make it smaller; write the values of its aliases out.");
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
