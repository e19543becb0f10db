/** Characters that a terminal acts upon or does not show: controls, invisible and direction marks, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

const SHORT: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** `text` on one line, with every invisible character escaped: `\u001b`. Nothing else changes. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT[character] ?? escapeUnits(character));
}

/** `text` on one line: each run of white space becomes a space. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** A commit as it is shown: its first ten digits, which tell the commits of a repository apart. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 10);
}

/** Removes credentials from the addresses in a text. */
export function withoutPasswords(text: string): string {
  // Up to the last @: a password may contain @ and a slash. A query may be a token.
  return text.replaceAll(/:\/\/[^\s'"]*@/g, "://").replaceAll(/(:\/\/[^\s'"?]*)\?[^\s'"]*/g, "$1");
}

/** The address of a link without what may be a secret: user, password, query and fragment. */
export function linkText(link: string): string {
  const url = URL.parse(link);
  return url === null ? withoutPasswords(link) : `${url.protocol}//${url.host}${url.pathname}`;
}

/** The lines of `text`, each `printable`. */
export function printableLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map(printable);
}

/** The JSON `document` for any terminal: the same value, with invisible characters as JSON escapes. */
export function printableJson(document: string): string {
  // Line breaks occur only between values: within text, JSON escapes them already.
  return document.replace(UNPRINTABLE, (character) => (character === "\n" ? character : escapeUnits(character)));
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** The meanings that colour expresses. */
export type Style = "good" | "change" | "bad" | "quiet" | "strong";

/** Colours text by its meaning. */
export interface Painter {
  /** The text with the colour of `style`. */
  paint(style: Style, text: string): string;
}

/** A painter that does not change text. */
export const UNPAINTED: Painter = { paint: (_style, text) => text };
