import { expect } from "vitest";

/**
 * Matches a text that contains all of `parts`, in this order and as whole words: names, places, numbers, commands; 1.1 is
 * no part of 1.1.0. What stands between them is wording, which may change.
 */
export function mentions(...parts: readonly string[]): unknown {
  const asWords = parts.map((part) => {
    const escaped = part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return `${/^\w/.test(part) ? "(?<!\\w|\\w[.-])" : ""}${escaped}${/\w$/.test(part) ? "(?!\\w|[.-]\\w)" : ""}`;
  });
  return expect.stringMatching(new RegExp(asWords.join("[^]*")));
}
