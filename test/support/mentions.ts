import { expect } from "vitest";

/**
 * Matches a text that contains all of `parts`, in this order and as whole words: names, places, numbers, commands. What
 * stands between them is wording, which may change.
 */
export function mentions(...parts: readonly string[]): unknown {
  const asWords = parts.map((part) => `(?<!\\w)${part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?!\\w)`);
  return expect.stringMatching(new RegExp(asWords.join("[^]*")));
}
