import { printable, printableLines } from "./printable.ts";

/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** Elements, or text. */
  readonly children?: readonly XmlElement[] | string;
}

/** An XML 1.0 document. What XML has no way to write, `printable` writes as an escape; line breaks stay. */
export function xmlDocument(root: XmlElement): string {
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...elementLines(root, "")].join("\n");
}

function elementLines({ name, attributes = {}, children = [] }: XmlElement, indent: string): readonly string[] {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`);
  const open = `${indent}<${name}${list.join("")}`;
  if (children.length === 0) return [`${open}/>`];
  // Text stands close to its tags, since every blank would become part of it.
  if (typeof children === "string") return [`${open}>${content(children)}</${name}>`];
  return [`${open}>`, ...children.flatMap((child) => elementLines(child, `${indent}  `)), `${indent}</${name}>`];
}

function content(text: string): string {
  return printableLines(text).map(escapeMarkup).join("\n");
}

/** On one line: a reader would turn a line break into a blank. */
function attribute(text: string): string {
  return escapeMarkup(text.split(/\r?\n/).map(printable).join(" "));
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
