import type { SnapshotFile } from "../../document/snapshot.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { specHash, type Template } from "../template.ts";
import { readChannelTemplate } from "../templateFile.ts";
import { type ModuleVersion, parseVersion } from "../version.ts";

/** A content that a channel could serve. */
export interface ServedContent {
  readonly version: ModuleVersion;
  /** `specHash` of it. Worked out when it is asked for. */
  readonly hash: () => string;
  /** As `readChannelTemplate` reads it, when it is asked for. */
  readonly template: () => Template | undefined;
}

/**
 * Reads the contents that one channel file had, one after the other, as `readYaml` and `readChannelTemplate` would.
 *
 * Nearly all of them differ in numbers of versions and in digests only, so it is enough to read one of each shape: that
 * takes a tenth of the time. Two contents of one shape (see `shapeOf`) are both templates or both none, and the one's
 * version is where the other's is.
 */
export class ServedContentReader {
  readonly #channel: string;
  readonly #module: string;
  readonly #known = new Map<string, ReadTexts>();

  constructor(channel: string, module: string) {
    this.#channel = channel;
    this.#module = module;
  }

  /** What `content` would serve; `undefined` when it is broken: then nothing takes notice of it. */
  read(path: string, content: SnapshotFile): ServedContent | undefined {
    const shape = content.kind === "bytes" ? shapeOf(content.bytes) : undefined;
    const version =
      shape === undefined ? this.#template(path, content)?.version : this.#versionIn(shape, path, content);
    let hash: string | undefined;
    const template = (): Template | undefined => this.#template(path, content);
    return version && { version, template, hash: () => (hash ??= hashOf(template())) };
  }

  #versionIn(shape: TextShape, path: string, content: SnapshotFile): ModuleVersion | undefined {
    const known = this.#known.get(shape.pattern) ?? { version: this.#template(path, content)?.version, shape };
    this.#known.set(shape.pattern, known);
    return known.version && renamed(known.version, known.shape, shape);
  }

  #template(path: string, content: SnapshotFile): Template | undefined {
    const reading = readYaml(path, content);
    if (reading.kind === "refused") return undefined;
    return readChannelTemplate(reading.file, this.#channel, this.#module).template;
  }
}

function hashOf(template: Template | undefined): string {
  return [template]
    .filter((one) => one !== undefined)
    .map(({ object }) => specHash(object))
    .join("");
}

interface ReadTexts {
  /** `undefined` when contents of this shape are broken. */
  readonly version: ModuleVersion | undefined;
  readonly shape: TextShape;
}

/** What stands in a content of shape `to` where one of shape `from` has `version`. */
function renamed(version: ModuleVersion, from: TextShape, to: TextShape): ModuleVersion | undefined {
  return parseVersion(version.replace(/^[0-9.]+/, (number) => String(to.words[from.words.indexOf(number)])));
}

/** A text without the numbers of versions and the digests that stand in it. */
interface TextShape {
  /** The text, with place in `words`, kind and length of each such word in its stead. */
  readonly pattern: string;
  /** The words, each once, in the order in which they appear. */
  readonly words: readonly string[];
}

/**
 * A number `1.2.3` that is not part of a longer word or number, but for a `v` in front; and 40 to 64 hexadecimal digits,
 * as commits and SHA-256 have them. One letter of a, c, d, f must be among these: `1e5` and `0b1` are numbers to YAML,
 * however long they are.
 */
const WORD =
  /(?:\b|(?<=\bv))(?<!\.)(?:(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)|(?=[0-9be]*[acdf])[0-9a-f]{40,64})(?![\w.])/g;

/**
 * The shape of a text; `undefined` when it holds a backslash, with which a word can be written in two ways, or a NUL.
 *
 * Two texts of one shape differ only by words of the same kind and length, and where one repeats a word the other does,
 * too. So what is asked of both alike has one answer: whether they are YAML, which of their values are text, which keys
 * are equal, whether a schema of lengths, patterns and fixed names accepts them.
 */
export function shapeOf(bytes: Uint8Array): TextShape | undefined {
  // One character a byte: this reads every content of a history, and needs no more than to tell them apart.
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
