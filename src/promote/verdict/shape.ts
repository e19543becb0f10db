/** A text without the numbers of versions and the digests that stand in it. */
export interface Shape {
  /** The text, with place in `words`, kind and length of each such word in its stead. */
  readonly pattern: string;
  /** The words, each once, in the order in which they appear. */
  readonly words: readonly string[];
}

/**
 * A number `1.2.3` that is no part of a longer word or number, but for a `v` in front; and 40 to 64 hexadecimal digits,
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
export function shapeOf(bytes: Uint8Array): Shape | undefined {
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
