import { createHash } from "node:crypto";
import type { Finding } from "../document/finding.ts";
import { isRecord, textAt } from "../document/fields.ts";
import { readYamlStream } from "../document/yaml/stream.ts";
import { errorAt, type YamlFile } from "../document/yaml/read.ts";
import type { YamlPath } from "../document/yaml/tree.ts";

/** The raw manifest of a version of a module, with the objects that it installs. */
export interface Manifest {
  /** A path of the repository, or the address that it was read from. */
  readonly source: string;
  /** Whether `source` is a path of the repository, so that a finding can point there. */
  readonly isLocal: boolean;
  /** Read on first use, since most manifests of a catalogue are only searched. */
  readonly objects: readonly ManifestObject[];
  /** The findings for unreadable parts; their `file` is `source`. */
  readonly findings: readonly Finding[];
  /** SHA-256 of its bytes; empty when it could not be read. */
  readonly hash: string;
  /**
   * Whether its bytes contain `text`, or are unknown; a necessary condition for an object with that name or kind.
   */
  mentions(text: string): boolean;
}

/** One object of a manifest. Texts are empty when the object does not have them. */
export interface ManifestObject {
  /** The document that contains it. */
  readonly file: YamlFile;
  /** Its place in the document: the root, or an item of a list. */
  readonly path: YamlPath;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Reads a stream of YAML documents as a manifest. An object with a list of items is a list, whatever its kind, and its
 * items are the objects: lifecycle-manager installs these. What it cannot read is a finding. Never throws.
 * Source: UnstructuredJSONScheme of apimachinery.
 */
export function readManifest(source: string, isLocal: boolean, bytes: Uint8Array): Manifest {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let known: Pick<Manifest, "objects" | "findings"> | undefined;
  const read = (): Pick<Manifest, "objects" | "findings"> => {
    const { files, findings } = readYamlStream(source, bytes);
    const parts = files.flatMap((file) => (file.value === null ? [] : partsIn(file, file.value, [])));
    return {
      objects: parts.flatMap((part) => ("kind" in part ? [part] : [])),
      findings: [...findings, ...parts.flatMap((part) => ("rule" in part ? [part] : []))],
    };
  };
  return {
    source,
    isLocal,
    get objects() {
      return (known ??= read()).objects;
    },
    get findings() {
      return (known ??= read()).findings;
    },
    get hash() {
      return createHash("sha256").update(content).digest("hex");
    },
    mentions: (text) => content.includes(text),
  };
}

/** A manifest of the repository that could not be read, with the reasons in `findings`. */
export function unreadableManifest(source: string, findings: readonly Finding[]): Manifest {
  return { source, isLocal: true, objects: [], findings, hash: "", mentions: () => true };
}

/** The objects of a document, and findings for parts that are not objects. */
function partsIn(file: YamlFile, value: unknown, path: YamlPath): readonly (ManifestObject | Finding)[] {
  if (!isRecord(value)) {
    const message = "This is not an object: lifecycle-manager refuses the whole manifest.";
    return [errorAt(file, path, "manifest-syntax", message, "Write an object here, or remove the document.")];
  }
  if ("items" in value) {
    const { items } = value;
    const at = [...path, "items"];
    if (Array.isArray(items)) return items.flatMap((item: unknown, index) => partsIn(file, item, [...at, index]));
    const message =
      "An object with the field items is a list, which lifecycle-manager replaces by its items: it is lost.";
    return [errorAt(file, at, "manifest-syntax", message, "Write a list of objects, or remove the field.")];
  }
  const text = (...at: readonly string[]): string => textAt(value, at) ?? "";
  const names = { name: text("metadata", "name"), namespace: text("metadata", "namespace") };
  return [{ file, path, apiVersion: text("apiVersion"), kind: text("kind"), ...names, value }];
}
