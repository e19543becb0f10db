import { isRecord } from "../fields.ts";
import { ambiguity, isTyped } from "./scalar.ts";

/**
 * The lines of `value` in YAML's block style, without line ends.
 *
 * Takes:  what JSON can say.
 * Gives:  text that all readers of YAML take for the same: whatever one of them could guess at stands in quotes.
 */
export function blockLines(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item: unknown) => hang("- ", "  ", blockLines(item)));
  if (!isFilled(value)) return [typeof value === "string" ? scalarText(value) : JSON.stringify(value)];
  return Object.entries(value).flatMap(([key, child]) => fieldLines(key, child));
}

function isFilled(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Object.keys(value).length > 0;
}

/** `lines` behind `first`, and from the second on behind `rest`. */
export function hang(first: string, rest: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => (index === 0 ? first : rest) + line);
}

/** `value` on one line, as JSON: what stands in brackets ends at characters that a block may hold. */
export function flowText(value: unknown): string {
  return escapeUnseen(JSON.stringify(value));
}

function fieldLines(key: string, value: unknown): readonly string[] {
  const lines = blockLines(value);
  const isNested = isFilled(value) || (Array.isArray(value) && value.length > 0);
  return isNested ? [`${key}:`, ...hang("  ", "  ", lines)] : hang(`${key}: `, "", lines);
}

const VERSION = /^\d+\.\d+\.\d+(?:-[-a-z0-9]+)?$/;
/** Words and addresses. An instant is none: YAML 1.1 takes it for a time. */
const WORDS = /^[A-Za-z](?:[-\w.,;()/+@'!?% ]|:(?=\/\/))*(?<! )$/;

function scalarText(text: string): string {
  const isGuessed = ambiguity(text) !== undefined || isTyped(text);
  return VERSION.test(text) || (WORDS.test(text) && !isGuessed) ? text : flowText(text);
}

/** Readers differ about line ends that nobody sees, and about byte order marks. */
function escapeUnseen(json: string): string {
  return json.replace(
    /[\u007f-\u00a0\u2000-\u200f\u2028-\u202f\ufeff-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
