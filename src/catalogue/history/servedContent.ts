import type { SnapshotFile } from "../../document/snapshot.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { specHash, type Template } from "../template.ts";
import { readChannelTemplate } from "../templateFile.ts";
import { type ModuleVersion, parseVersion } from "../version.ts";

/** Content that a channel could serve. */
export interface ServedContent {
  readonly version: ModuleVersion;
  /** Its `specHash`, computed on demand. */
  readonly hash: () => string;
  /** The result of `readChannelTemplate`, read on demand. */
  readonly template: () => Template | undefined;
}

/**
 * Reads the contents that one channel file had over time, with the results of `readYaml` and `readChannelTemplate`.
 *
 * Nearly all of them differ only in version numbers and digests, so it reads one of each shape, in a tenth of the time.
 * Of two contents with one shape (see `textShape`), both are templates or both are not, and both have the version in the
 * same place.
 */
export class ServedContentReader {
  readonly #channel: string;
  readonly #module: string;
  readonly #known = new Map<string, ReadTexts>();

  constructor(channel: string, module: string) {
    this.#channel = channel;
    this.#module = module;
  }

  /**
   * Reads `content`; `undefined` when it is broken and must be ignored. A content with the text of `known`, the template
   * of that path in another reading, is that template.
   */
  read(path: string, content: SnapshotFile, known?: Template): ServedContent | undefined {
    const bytes = content.kind === "bytes" ? content.bytes : undefined;
    if (known !== undefined && bytes !== undefined && Buffer.from(known.file.text).equals(bytes))
      return servedContent(known.version, () => known);
    const shape = bytes && textShape(bytes);
    const version =
      shape === undefined ? this.#template(path, content)?.version : this.#versionIn(shape, path, content);
    return version && servedContent(version, () => this.#template(path, content));
  }

  #versionIn(shape: TextShape, path: string, content: SnapshotFile): ModuleVersion | undefined {
    const known = this.#known.get(shape.pattern) ?? { version: this.#template(path, content)?.version, shape };
    this.#known.set(shape.pattern, known);
    // The words of `shape`, in the place where the known text has its version.
    const { words } = known.shape;
    return (
      known.version &&
      parseVersion(known.version.replace(/^[0-9.]+/, (number) => String(shape.words[words.indexOf(number)])))
    );
  }

  #template(path: string, content: SnapshotFile): Template | undefined {
    const reading = readYaml(path, content);
    if (reading.kind === "refused") return undefined;
    return readChannelTemplate(reading.file, this.#channel, this.#module).template;
  }
}

function servedContent(version: ModuleVersion, template: () => Template | undefined): ServedContent {
  let hash: string | undefined;
  return { version, template, hash: () => (hash ??= optionalSpecHash(template())) };
}

function optionalSpecHash(template: Template | undefined): string {
  return [template]
    .filter((one) => one !== undefined)
    .map(({ object }) => specHash(object))
    .join("");
}

interface ReadTexts {
  /** `undefined` when content of this shape is broken. */
  readonly version: ModuleVersion | undefined;
  readonly shape: TextShape;
}

/** A text split into its version numbers and digests, the words, and the pattern around them. */
interface TextShape {
  /** The text with each word replaced by its index in `words`, its kind and its length. */
  readonly pattern: string;
  /** The distinct words, in the order of their first occurrence. */
  readonly words: readonly string[];
}

/**
 * A number `1.2.3` that is not part of a longer word or number, except after a `v`; and 40 to 64 hexadecimal digits, as
 * in commits and SHA-256. The digits must include one of a, c, d, f, since YAML reads `1e5` and `0b1` as numbers of any
 * length.
 */
const WORD =
  /(?:\b|(?<=\bv))(?<!\.)(?:(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)|(?=[0-9be]*[acdf])[0-9a-f]{40,64})(?![\w.])/g;

/**
 * The shape of a text; `undefined` when it contains a backslash, which can write a word in two ways, or a NUL.
 *
 * Two texts of one shape differ only in words of the same kind and length, and repeat words in the same places. So both
 * give the same answers: whether they are YAML, which values are text, which keys are equal, and whether a schema of
 * lengths, patterns and fixed names accepts them.
 */
export function textShape(bytes: Uint8Array): TextShape | undefined {
  // latin1, one character for each byte, is enough to compare texts, and fast for all contents of a history.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (text.includes("\\") || text.includes("\0")) return undefined;
  const words = new Map<string, number>();
  const pattern = text.replace(WORD, (word) => {
    const place = words.get(word) ?? words.size;
    words.set(word, place);
    return `\0${place} ${word.includes(".") ? "number" : "digest"} ${word.length}\0`;
  });
  return { pattern, words: [...words.keys()] };
}
