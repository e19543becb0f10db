import { createHash } from "node:crypto";
import type { Finding } from "../../catalogue/finding.ts";
import { lineOf } from "./reportFacts.ts";

/**
 * What each finding is known by from one revision to the next, in order. It does not change when lines above are added
 * or removed: it holds the rule, the file, the message without line numbers and the text of the line; of several that
 * are equal in all that, it holds the how many-th it is.
 */
export function fingerprints(
  findings: readonly Finding[],
  sourceOf: (path: string) => string | undefined,
): readonly string[] {
  const seen = new Map<string, number>();
  return findings.map(({ rule, file, line, message }) => {
    const text = lineOf(sourceOf(file) ?? "", line)?.trim() ?? "";
    const unmoved = message.replace(/\blines? \d+/g, "line");
    const hash = createHash("sha256")
      .update(JSON.stringify([rule, file, unmoved, text]))
      .digest("hex")
      .slice(0, 32);
    const ordinal = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, ordinal);
    return `${hash}:${ordinal}`;
  });
}
