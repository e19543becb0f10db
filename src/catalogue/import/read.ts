import { isUtf8 } from "node:buffer";
import { isScalar, parseAllDocuments } from "yaml";
import { RESOURCES } from "../../kubernetes/object.ts";
import { writtenMs } from "./fields.ts";
import { fieldAt } from "../../document/fields.ts";
import type { ImportInput, SkippedInput } from "./result.ts";
import { compareText } from "../../document/order.ts";
import { locate, positionAt, readYaml, type YamlFile } from "../../document/yaml/read.ts";
import type { YamlPath } from "../../document/yaml/tree.ts";

/** The kinds that an import reads. */
type IncomingKind = "ModuleTemplate" | "ModuleReleaseMeta";

/** One object to import, in its original form. */
export interface Incoming {
  readonly kind: IncomingKind;
  readonly source: string;
  readonly value: unknown;
  /** The original document; `undefined` when the object was only a part of one, and must be printed anew. */
  readonly text: string | undefined;
  /** The file that it is from, with the lines of the input. `undefined` for an object of a control plane. */
  readonly file: YamlFile | undefined;
  /** Its place in `file`. */
  readonly at: YamlPath;
  readonly changedMs: number | undefined;
}

/** The objects in the inputs, and the parts that are left out. */
interface InputReading {
  readonly objects: readonly Incoming[];
  readonly leftOut: readonly SkippedInput[];
}

/** Splits the inputs into objects, in the order of their names, so that the order of inputs does not matter. */
export function readInputs(inputs: readonly ImportInput[]): InputReading {
  const reader = new InputReader();
  for (const input of inputs.toSorted((a, b) => compareText(a.name, b.name))) reader.read(input);
  return reader;
}

type Document = ReturnType<typeof parseAllDocuments>[number];

/** One document of a file. */
interface DocumentPart {
  readonly source: string;
  readonly text: string;
  /** The line of the file at which `text` begins. */
  readonly line: number;
  readonly document: Document;
  readonly changedMs: number | undefined;
}

class InputReader implements InputReading {
  readonly objects: Incoming[] = [];
  readonly leftOut: SkippedInput[] = [];

  read(input: ImportInput): void {
    if (input.kind === "file") this.#file(input);
    else
      this.#object({
        source: input.name,
        value: input.object,
        text: undefined,
        file: undefined,
        at: [],
        changedMs: undefined,
      });
  }

  #file({ name, content, changedMs }: Extract<ImportInput, { kind: "file" }>): void {
    if (!isUtf8(content)) {
      this.#leave(name, "unreadable", "The file is not UTF-8.");
      return;
    }
    const whole = new TextDecoder().decode(content);
    // Blanks on a last line without a line end are removed: parsers read them differently, and they have no meaning. All
    // other ambiguities are left to people, since only they know the right meaning.
    const lastLine = whole.lastIndexOf("\n") + 1;
    const text = whole.slice(lastLine).trim() === "" ? whole.slice(0, lastLine) : whole;
    const documents = [...parseAllDocuments(text, { prettyErrors: false, logLevel: "silent" })];
    let start = 0;
    for (const [index, document] of documents.entries()) {
      const end = index === documents.length - 1 ? text.length : document.range[2];
      const source = documents.length === 1 ? name : `${name}:${positionAt(text, document.range[0]).line}`;
      const line = positionAt(text, start).line;
      this.#document({ source, text: text.slice(start, end), line, document, changedMs });
      start = end;
    }
  }

  #document({ source, text, line, document, changedMs }: DocumentPart): void {
    const [error] = document.errors;
    if (error !== undefined) {
      const where = positionAt(text, error.pos[0]);
      this.#leave(source, "unreadable", `This is not YAML (line ${where.line + line - 1}): ${error.message}.`);
      return;
    }
    if (isScalar(document.contents) && document.contents.value === null) return;
    const kind = judgeKind(document.get("apiVersion"), document.get("kind"));
    if (typeof kind === "object") {
      this.#leave(source, "kind", kind.why);
      return;
    }
    const reading = readYaml(source, { kind: "bytes", bytes: Buffer.from("\n".repeat(line - 1) + text) });
    if (reading.kind === "refused") {
      this.leftOut.push({
        source,
        reason: "unreadable",
        message: "It is not valid, or YAML parsers read it differently.",
        path: undefined,
        problems: reading.findings,
      });
      return;
    }
    const { file } = reading;
    // A file with one document does not need the markers between documents.
    const unmarked = text
      .replace(/^---[ \t]*\r?\n/m, "")
      .replace(/^\.\.\.[ \t]*$/m, "")
      .replace(/^[\r\n]+/, "");
    const own = { source, value: file.value, text: unmarked, file, at: [], changedMs };
    if (kind === "list") this.#list(file, own);
    else this.#object(own);
  }

  #list(file: YamlFile, whole: Omit<Incoming, "kind">): void {
    const items = fieldAt(file.value, ["items"]);
    for (const [index, value] of (Array.isArray(items) ? items : []).entries()) {
      const at = ["items", index];
      const source = `${whole.source.replace(/:\d+$/, "")}:${locate(file, at).line}`;
      this.#object({ ...whole, source, value, at, text: undefined });
    }
  }

  #object(object: Omit<Incoming, "kind">): void {
    const { source, value } = object;
    const kind = judgeKind(fieldAt(value, ["apiVersion"]), fieldAt(value, ["kind"]));
    if (kind === "list") this.#leave(source, "kind", "A list within a list is not supported.");
    else if (typeof kind === "object") this.#leave(source, "kind", kind.why);
    else if (fieldAt(value, ["metadata", "deletionTimestamp"]) !== undefined) {
      this.#leave(source, "deleting", "The object is being deleted.");
    } else this.objects.push({ ...object, kind, changedMs: writtenMs(value) ?? object.changedMs });
  }

  #leave(source: string, reason: SkippedInput["reason"], message: string): void {
    this.leftOut.push({ source, reason, message, path: undefined, problems: [] });
  }
}

const GROUP_VERSION = RESOURCES.moduleTemplate.apiVersion;
const GROUP = GROUP_VERSION.split("/")[0];

/** How an import treats an object, by its type alone. */
function judgeKind(apiVersion: unknown, kind: unknown): IncomingKind | "list" | { readonly why: string } {
  if (typeof apiVersion !== "string" || typeof kind !== "string") return { why: "It is not a Kubernetes object." };
  if (kind.endsWith("List")) return "list";
  if (kind !== "ModuleTemplate" && kind !== "ModuleReleaseMeta")
    return { why: `Unsupported kind: ${kind} (${apiVersion}).` };
  if (apiVersion === GROUP_VERSION) return kind;
  const old = apiVersion.split("/")[0] === GROUP ? "; convert it first" : "";
  return { why: `It is a ${kind} of ${apiVersion}, but only ${GROUP_VERSION} can be imported${old}.` };
}
