import { createHash } from "node:crypto";
import type { Finding } from "../document/finding.ts";
import { isRecord, textAt } from "../document/fields.ts";
import { readYamlStream } from "../document/yaml/stream.ts";
import type { YamlFile } from "../document/yaml/read.ts";
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
  /** Whether its bytes contain `text`; a necessary condition for an object with that name or kind. */
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

/** Reads a stream of YAML documents as a manifest, with the items of each `List` as objects. Never throws. */
export function readManifest(source: string, isLocal: boolean, bytes: Uint8Array): Manifest {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let known: Pick<Manifest, "objects" | "findings"> | undefined;
  const read = (): Pick<Manifest, "objects" | "findings"> => {
    const { files, findings } = readYamlStream(source, bytes);
    return { objects: files.flatMap((file) => objectsIn(file, file.value, [])), findings };
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
  return { source, isLocal: true, objects: [], findings, hash: "", mentions: () => false };
}

function objectsIn(file: YamlFile, value: unknown, path: YamlPath): readonly ManifestObject[] {
  if (!isRecord(value)) return [];
  const { items } = value;
  if (Array.isArray(items) && String(value["kind"]).endsWith("List"))
    return items.flatMap((item: unknown, index) => objectsIn(file, item, [...path, "items", index]));
  const text = (...at: readonly string[]): string => textAt(value, at) ?? "";
  const names = { name: text("metadata", "name"), namespace: text("metadata", "namespace") };
  return [{ file, path, apiVersion: text("apiVersion"), kind: text("kind"), ...names, value }];
}
