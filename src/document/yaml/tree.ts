import { EVENT_ID, getScalarValue, SCALAR_STYLE, type Event, type ScalarEvent } from "js-yaml";
import { oncePer } from "../once.ts";

/** One node of a YAML document. */
export type YamlNode = YamlProperties &
  (
    | { readonly kind: "map"; readonly pairs: readonly YamlPair[] }
    | { readonly kind: "list"; readonly items: readonly YamlNode[] }
    | {
        readonly kind: "scalar";
        readonly text: string;
        /** Whether it has neither quotes nor a tag, so that YAML infers its type. */
        readonly plain: boolean;
      }
    | { readonly kind: "alias" }
  );

/** The properties of every node. */
interface YamlProperties {
  /** The offset of its first character in the text. */
  readonly start: number;
  /** The name of its anchor, or of the anchor that an alias refers to; empty when there is none. */
  readonly anchor: string;
}

interface YamlPair {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

/** A path into a document: keys of maps and indexes of lists. */
export type YamlPath = readonly (string | number)[];

/** The root node of the first document of `events`; `undefined` when there is no node. */
export function buildTree(text: string, events: readonly Event[]): YamlNode | undefined {
  const builder = new TreeBuilder(text, events);
  return builder.node();
}

/** The place of a node's anchor in the text; -1 when it has none. */
interface Properties {
  readonly anchorStart: number;
  readonly anchorEnd: number;
}

/** A cursor over the events; each call of `node` consumes one whole node. */
class TreeBuilder {
  readonly #text: string;
  readonly #events: readonly Event[];
  #next = 0;
  /** The start of the last node; a node without text has the same start. */
  #offset = 0;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  node(): YamlNode | undefined {
    const event = this.#events[this.#next++];
    switch (event?.type) {
      case undefined:
      case EVENT_ID.POP:
        return undefined;
      case EVENT_ID.DOCUMENT:
        return this.node();
      case EVENT_ID.SCALAR:
        return this.#scalar(event);
      case EVENT_ID.ALIAS:
        return { kind: "alias", ...this.#properties(event, event.anchorStart - 1) };
      case EVENT_ID.SEQUENCE:
        return { kind: "list", ...this.#properties(event, event.start), items: this.#nodes() };
      case EVENT_ID.MAPPING:
        return { kind: "map", ...this.#properties(event, event.start), pairs: this.#pairs() };
    }
  }

  #scalar(event: ScalarEvent): YamlNode {
    const { style, tagStart, valueStart } = event;
    const plain = style === SCALAR_STYLE.PLAIN;
    return {
      kind: "scalar",
      ...this.#properties(event, valueStart - Number(!plain)),
      text: getScalarValue(this.#text, event),
      plain: plain && tagStart < 0,
    };
  }

  #nodes(): readonly YamlNode[] {
    const nodes: YamlNode[] = [];
    for (let node = this.node(); node !== undefined; node = this.node()) nodes.push(node);
    return nodes;
  }

  #pairs(): readonly YamlPair[] {
    const nodes = this.#nodes();
    return nodes.flatMap((key, index) => {
      const value = nodes[index + 1];
      return index % 2 === 0 && value !== undefined ? [{ key, value }] : [];
    });
  }

  #properties(event: Properties, offset: number): YamlProperties {
    const { anchorStart, anchorEnd } = event;
    const begin = offset < 0 ? anchorStart - 1 : offset;
    if (begin >= 0) this.#offset = begin;
    return { start: this.#offset, anchor: anchorStart < 0 ? "" : this.#text.slice(anchorStart, anchorEnd) };
  }
}

/** Calls `visit` for `node` and all nodes below it, in the order of the text. Does not follow aliases. */
export function walkTree(node: YamlNode, visit: (node: YamlNode) => void): void {
  visit(node);
  switch (node.kind) {
    case "map":
      for (const { key, value } of node.pairs) {
        walkTree(key, visit);
        walkTree(value, visit);
      }
      break;
    case "list":
      for (const item of node.items) walkTree(item, visit);
      break;
    case "scalar":
    case "alias":
      break;
  }
}

/**
 * The offset of the value at `path`; for a missing value, that of its nearest parent. For an empty value (`key:`), a map
 * or a list below a key, it is the offset of the key, since people look there.
 */
export function yamlOffset(root: YamlNode, path: YamlPath): number {
  let node = root;
  let offset = root.start;
  for (const step of path) {
    const next = yamlChild(node, step);
    if (next === undefined) break;
    offset = next.offset;
    node = next.node;
  }
  return offset;
}

function yamlChild(
  node: YamlNode,
  step: string | number,
): { readonly node: YamlNode; readonly offset: number } | undefined {
  if (node.kind === "list") {
    const item = typeof step === "number" ? node.items[step] : undefined;
    return item && { node: item, offset: item.start };
  }
  if (node.kind !== "map") return undefined;
  const pair = membersOf(node).get(String(step));
  return (
    pair && {
      node: pair.value,
      offset: pair.value.kind === "scalar" && pair.value.text !== "" ? pair.value.start : pair.key.start,
    }
  );
}

// Searching a map of a hundred thousand keys for each of its problems would take hours.
const membersOf = oncePer(
  ({ pairs }: Extract<YamlNode, { kind: "map" }>): ReadonlyMap<string, YamlPair> =>
    new Map(pairs.flatMap((pair) => (pair.key.kind === "scalar" ? [[pair.key.text, pair]] : []))),
);
