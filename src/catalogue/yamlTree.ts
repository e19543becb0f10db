import { EVENT_ID, getScalarValue, SCALAR_STYLE, type Event, type ScalarEvent } from "js-yaml";

/** One node of a YAML document, with the offset in the text at which it begins. */
export type YamlNode =
  | { readonly kind: "map"; readonly start: number; readonly anchor: string; readonly pairs: readonly YamlPair[] }
  | { readonly kind: "list"; readonly start: number; readonly anchor: string; readonly items: readonly YamlNode[] }
  | {
      readonly kind: "scalar";
      readonly start: number;
      readonly anchor: string;
      readonly text: string;
      /** Without quotes and without a tag: YAML guesses its type. */
      readonly plain: boolean;
    }
  | { readonly kind: "alias"; readonly start: number; readonly anchor: string };

/** One `key: value`. */
export interface YamlPair {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

/** A path into a document: keys of maps and indexes of lists. */
export type YamlPath = readonly (string | number)[];

/** The nodes of the first document of `events`. `undefined` when there is no node at all. */
export function buildTree(text: string, events: readonly Event[]): YamlNode | undefined {
  const builder = new TreeBuilder(text, events);
  return builder.node();
}

/** A cursor over the events; each call of `node` consumes one whole node. */
class TreeBuilder {
  readonly #text: string;
  readonly #events: readonly Event[];
  #next = 0;
  /** A map or list without a position of its own (an empty one) begins where the last node ended. */
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
        return { kind: "alias", start: event.anchorStart - 1, anchor: this.#slice(event.anchorStart, event.anchorEnd) };
      case EVENT_ID.SEQUENCE: {
        const start = this.#startOf(event.start);
        return { kind: "list", start, anchor: this.#slice(event.anchorStart, event.anchorEnd), items: this.#nodes() };
      }
      case EVENT_ID.MAPPING: {
        const start = this.#startOf(event.start);
        return { kind: "map", start, anchor: this.#slice(event.anchorStart, event.anchorEnd), pairs: this.#pairs() };
      }
    }
  }

  #scalar(event: ScalarEvent): YamlNode {
    return {
      kind: "scalar",
      start: this.#startOf(event.valueStart - Number(event.style !== SCALAR_STYLE.PLAIN)),
      anchor: this.#slice(event.anchorStart, event.anchorEnd),
      text: getScalarValue(this.#text, event),
      plain: event.style === SCALAR_STYLE.PLAIN && event.tagStart < 0,
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

  #startOf(offset: number): number {
    if (offset >= 0) this.#offset = offset;
    return this.#offset;
  }

  #slice(start: number, end: number): string {
    return start < 0 ? "" : this.#text.slice(start, end);
  }
}

/** Calls `visit` for `node` and everything below it, in the order of the text. Aliases are not followed. */
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
 * The offset at which the value at `path` begins; where the document has no such value, that of its nearest parent.
 * For a value without text of its own (`key:` and nothing behind), and for the members of a map, people look at the
 * key: so it is the key's offset.
 */
export function offsetOf(root: YamlNode, path: YamlPath): number {
  let node = root;
  let offset = root.start;
  for (const step of path) {
    const next = childOf(node, step);
    if (next === undefined) break;
    offset = next.offset;
    node = next.node;
  }
  return offset;
}

function childOf(
  node: YamlNode,
  step: string | number,
): { readonly node: YamlNode; readonly offset: number } | undefined {
  if (node.kind === "list") {
    const item = typeof step === "number" ? node.items[step] : undefined;
    return item && { node: item, offset: item.start };
  }
  if (node.kind !== "map") return undefined;
  const pair = node.pairs.find(({ key }) => key.kind === "scalar" && key.text === String(step));
  return (
    pair && {
      node: pair.value,
      offset: pair.value.kind === "scalar" && pair.value.text !== "" ? pair.value.start : pair.key.start,
    }
  );
}
