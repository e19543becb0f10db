import { printableLines } from "./printable.ts";

/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** Elements, or text. */
  readonly children?: readonly XmlElement[] | string;
}

/** An XML 1.0 document. `printable` escapes the characters that XML cannot hold; line breaks stay. */
export function xmlDocument(root: XmlElement): string {
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...elementLines(root, "")].join("\n");
}

function elementLines({ name, attributes = {}, children = [] }: XmlElement, indent: string): readonly string[] {
  // An attribute goes on one line: a reader would turn a line break into a blank.
  const list = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeMarkup(printableLines(String(value)).join(" "))}"`,
  );
  const open = `${indent}<${name}${list.join("")}`;
  if (children.length === 0) return [`${open}/>`];
  // No blank between text and its tags: it would become part of the text.
  if (typeof children === "string") return [`${open}>${escapeMarkup(printableLines(children).join("\n"))}</${name}>`];
  return [`${open}>`, ...children.flatMap((child) => elementLines(child, `${indent}  `)), `${indent}</${name}>`];
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
