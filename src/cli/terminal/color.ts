import { stripVTControlCharacters } from "node:util";

/** When to use colours, as `--color` says it. */
export type ColorWhen = "auto" | "always" | "never";

/**
 * Whether a stream shows colours. The first of these that says something decides: `--color`, `FORCE_COLOR`, `NO_COLOR`,
 * `TERM=dumb`, and whether it is a terminal. Source: https://nodejs.org/api/tty.html#writestreamgetcolordepthenv
 *
 * It is not asked of Node itself, which writes a warning to stderr where both variables are set.
 */
export function showsColors(
  stream: { readonly isTTY?: boolean },
  when: ColorWhen,
  variables: Readonly<Record<string, string | undefined>>,
): boolean {
  if (when !== "auto") return when === "always";
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: terminal } = variables;
  if (force !== undefined) return ["", "1", "2", "3", "true"].includes(force);
  return stream.isTTY === true && (no === undefined || no === "") && terminal !== "dumb";
}

/** The text without colours, unless `isColored`. */
export function coloredIf(isColored: boolean, text: string): string {
  return isColored ? text : stripVTControlCharacters(text);
}
