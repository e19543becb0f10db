import { isRecord } from "../fields.ts";
import { ambiguity, isTyped } from "./scalar.ts";

/**
 * The lines of `value` in YAML's block style, without line ends.
 *
 * Takes:  a JSON value.
 * Gives:  text that all YAML parsers read alike: text that one of them could take for another type is quoted.
 */
export function blockLines(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item: unknown) => hang("- ", "  ", blockLines(item)));
  if (!isFilled(value)) return [typeof value === "string" ? scalarText(value) : JSON.stringify(value)];
  return Object.entries(value).flatMap(([key, child]) => {
    const lines = blockLines(child);
    const isNested = isFilled(child) || (Array.isArray(child) && child.length > 0);
    return isNested ? [`${key}:`, ...hang("  ", "  ", lines)] : hang(`${key}: `, "", lines);
  });
}

function isFilled(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Object.keys(value).length > 0;
}

/** `lines`, the first one prefixed with `first` and the others with `rest`. */
export function hang(first: string, rest: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => (index === 0 ? first : rest) + line);
}

/** `value` on one line, as JSON: plain text within brackets ends at characters that are valid in block style. */
export function flowText(value: unknown): string {
  // Parsers differ about unusual line ends and byte order marks.
  return JSON.stringify(value).replace(
    /[\u007f-\u00a0\u2000-\u200f\u2028-\u202f\ufeff-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const VERSION = /^\d+\.\d+\.\d+(?:-[-a-z0-9]+)?$/;
/** Words and addresses. An instant does not match, since YAML 1.1 reads it as a time. */
const WORDS = /^[A-Za-z](?:[-\w.,;()/+@'!?% ]|:(?=\/\/))*(?<! )$/;

function scalarText(text: string): string {
  const isGuessed = ambiguity(text) !== undefined || isTyped(text);
  return VERSION.test(text) || (WORDS.test(text) && !isGuessed) ? text : flowText(text);
}
