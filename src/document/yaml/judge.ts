import { EVENT_ID, type Event } from "js-yaml";
import { ambiguity, isTyped } from "./scalar.ts";
import { walkTree, type YamlNode } from "./tree.ts";

/** One problem in the text of a YAML file. */
export interface YamlProblem {
  /** The place in the text; counts from 0. */
  readonly offset: number;
  readonly rule: string;
  readonly message: string;
  readonly remedy: string;
}

/** Records one problem. */
type ReportProblem = (offset: number, rule: string, message: string, remedy: string) => void;

/** The maximum number of nodes of a document after its aliases are expanded. */
const MAX_NODES = 100_000;
/** The package `yaml` takes half a minute for fifty thousand aliases. */
const MAX_ALIASES = 1_000;

/** Everything in the documents of `text` that YAML parsers could read differently. */
export function judgeNodes(text: string, events: readonly Event[], tree: YamlNode | undefined): readonly YamlProblem[] {
  const problems: YamlProblem[] = [];
  const report: ReportProblem = (offset, rule, message, remedy) => {
    problems.push({ offset, rule, message, remedy });
  };
  judgeLineBreaks(text, report);
  judgeDirectives(text, events, report);
  judgeDocuments(text, events, report);
  if (tree === undefined) return problems;
  judgeAliases(tree, report);
  walkTree(tree, (node) => {
    if (node.kind === "scalar" && !(node.plain && TEXTS_FOR_GO.has(node.text))) judgeScalar(node, report);
    judgeKeys(node, report);
  });
  return problems;
}

/** YAML 1.1 begins a new line at these characters, 1.2 does not. */
function judgeLineBreaks(text: string, report: ReportProblem): void {
  for (const { index } of text.matchAll(/[\u0085\u2028\u2029]/g)) {
    report(index, "yaml-ambiguous", "YAML 1.1 begins a new line at this invisible character.", "Remove it.");
  }
}

function judgeDirectives(text: string, events: readonly Event[], report: ReportProblem): void {
  if (!events.some((event) => event.type === EVENT_ID.DOCUMENT && event.directives.length > 0)) return;
  const message = "A % directive changes how the file is read.";
  report(text.search(/^%/m), "yaml-directive", message, "Remove the line that begins with %.");
}

function judgeDocuments(text: string, events: readonly Event[], report: ReportProblem): void {
  const documents = events.flatMap((event, index) => (event.type === EVENT_ID.DOCUMENT ? [index] : []));
  const [first, second] = documents;
  if (first === undefined) report(0, "yaml-documents", "The file is empty.", "Fill it or remove it.");
  if (second === undefined) return;
  report(
    markerAfter(text, events.slice(0, second)),
    "yaml-documents",
    `The file holds ${documents.length} documents.`,
    "Keep one document per file.",
  );
}

/** The offset of the line that ends the document of `events`: the first marker after its last node or its own marker. */
function markerAfter(text: string, events: readonly Event[]): number {
  const own = /^---/m.exec(text);
  const begin = events.some((event) => event.type === EVENT_ID.DOCUMENT && event.explicitStart) && own !== null;
  const from = events.map(eventEnd).reduce((a, b) => Math.max(a, b), begin ? own.index + 3 : 0);
  return from + text.slice(from).search(/^(?:---|\.\.\.)/m);
}

function eventEnd(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueEnd;
  return event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING ? event.start : 0;
}

/** As a key, it merges a map in YAML 1.1. */
const MERGE = "<<";

function judgeMerge(key: YamlNode, report: ReportProblem): void {
  if (key.kind === "scalar" && key.plain && key.text === MERGE) judgeScalar(key, report);
}

/** Values that YAML 1.1 reserves; Go's readers take them for text, as 1.2 does, and controller-gen writes them in enums. */
const TEXTS_FOR_GO: ReadonlySet<string> = new Set(["=", MERGE]);

function judgeScalar(node: Extract<YamlNode, { kind: "scalar" }>, report: ReportProblem): void {
  if (!node.text.isWellFormed()) {
    report(node.start, "yaml-escape", "An escape sequence encodes half a character.", "Write the character itself.");
  }
  const why = node.plain ? ambiguity(node.text) : undefined;
  if (why !== undefined) {
    const text = shorten(node.text);
    const remedy = `Put it in quotes if text is meant ("${text}"), or write the value out.`;
    report(node.start, "yaml-ambiguous", `${text} is ${why}.`, remedy);
  }
}

function judgeKeys(node: YamlNode, report: ReportProblem): void {
  if (node.kind !== "map") return;
  const seen = new Set<string>();
  for (const { key } of node.pairs) {
    judgeMerge(key, report);
    if (key.kind !== "scalar" || (key.plain && isTyped(key.text))) {
      report(key.start, "yaml-key", "This key is not text.", "Put it in quotes, or use a name.");
    } else if (key.text === "__proto__") {
      report(key.start, "yaml-key", "The key __proto__ means something else to JavaScript.", "Use another name.");
    } else if (seen.has(key.text)) {
      report(key.start, "yaml-duplicate-key", `The key ${shorten(key.text)} occurs twice.`, "Keep one of them.");
    } else seen.add(key.text);
  }
}

/** `text`, cut after `most` characters, so that no message grows with the file. */
export function shorten(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Measures the expanded size of each anchor; refuses a document that grows without bound or contains itself. */
function judgeAliases(tree: YamlNode, report: ReportProblem): void {
  const sizes = new Map<string, number>();
  let aliases = 0;
  const measure = (node: YamlNode): number => {
    if (node.kind === "alias") {
      aliases += 1;
      const size = sizes.get(node.anchor);
      if (size === undefined) {
        const message = `The alias *${shorten(node.anchor)} refers to no anchor whose value ends before it.`;
        report(node.start, "yaml-alias", message, "Write the value out.");
      }
      return size ?? 1;
    }
    // An anchor hides an earlier one of the same name already within its own value.
    if (node.anchor !== "") sizes.delete(node.anchor);
    const size = 1 + measureChildren(node);
    if (node.anchor !== "") sizes.set(node.anchor, size);
    return size;
  };
  const measureChildren = (node: YamlNode): number => {
    switch (node.kind) {
      case "map":
        return node.pairs.reduce((total, { key, value }) => total + measure(key) + measure(value), 0);
      case "list":
        return node.items.reduce((total, item) => total + measure(item), 0);
      case "scalar":
      case "alias":
        return 0;
    }
  };
  const size = measure(tree);
  if (aliases > MAX_ALIASES) {
    const message = `The file has ${aliases} aliases, more than ${MAX_ALIASES}.`;
    report(0, "yaml-size", message, "Replace aliases with their values.");
  }
  if (size > MAX_NODES) {
    const message = `The file has ${String(size)} values after its aliases are expanded, more than ${MAX_NODES}.`;
    report(0, "yaml-size", message, "Make the file smaller, or replace aliases with their values.");
  }
}
