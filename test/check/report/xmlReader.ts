import { SaxesParser } from "saxes";

/** An element as a reader of XML has it. */
export interface ReadElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: ReadElement[];
  text: string;
}

/** Reads a document with a strict parser; throws where it is not well-formed XML 1.0. */
export function readXml(document: string): ReadElement {
  const root: ReadElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element: ReadElement = { name, attributes, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const parent = open.at(-1);
    if (parent !== undefined) parent.text += text;
  });
  parser.on("closetag", () => {
    open.pop();
  });
  parser.write(document).close();
  const [element] = root.children;
  if (element === undefined) throw new Error("The document has no element.");
  return element;
}
