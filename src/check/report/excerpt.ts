import { printable } from "../../document/printable.ts";

/** A part of a source line that fits into the available width. */
export interface Excerpt {
  /** Printable; `…` marks text that was cut off. */
  readonly text: string;
  /** The number of terminal columns before the marked place. */
  readonly caret: number;
}

interface Cell {
  readonly text: string;
  readonly width: number;
}

const ELLIPSIS: Cell = { text: "…", width: 1 };
const TAB: Cell = { text: "  ", width: 2 };

/** Maximum of code units to examine for each column: a line of ten megabytes may be one word with combining marks. */
const MAX_UNITS = 4;

/** The part of `line` around `column` (UTF-16 code units, from 1) that fits into `width` columns of a terminal. */
export function excerpt(line: string, column: number, width: number): Excerpt {
  const at = wholeAt(line, Math.min(column - 1, line.length));
  const start = wholeAt(line, Math.max(0, at - MAX_UNITS * width));
  const end = wholeAt(line, Math.min(line.length, at + MAX_UNITS * width));
  const before = textCells(line.slice(start, at)).toReversed();
  const after = textCells(line.slice(at, end));
  const left = fit(before, Math.max(Math.floor(width / 2), width - cellWidth(after)), start === 0).toReversed();
  const right = fit(after, width - cellWidth(left), end === line.length);
  return { text: [...left, ...right].map(({ text }) => text).join(""), caret: cellWidth(left) };
}

/** The index, or the index before it if it would split a character. */
function wholeAt(line: string, index: number): number {
  return index > 0 && (line.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;
}

function fit(cells: readonly Cell[], room: number, isWhole: boolean): readonly Cell[] {
  if (isWhole && cellWidth(cells) <= room) return cells;
  const taken: Cell[] = [];
  let left = room - ELLIPSIS.width;
  for (const cell of cells) {
    left -= cell.width;
    if (left < 0) break;
    taken.push(cell);
  }
  return [...taken, ELLIPSIS];
}

function cellWidth(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

function textCells(text: string): readonly Cell[] {
  return Array.from(text, (character) => {
    if (character === "\t") return TAB;
    const shown = printable(character);
    return { text: shown, width: shown === character ? characterColumns(character) : shown.length };
  });
}

/** Characters that terminals show two columns wide; Unicode's annex 11, without the halfwidth forms. */
const WIDE =
  /^(?![\uff61-\uffdc])[\p{Emoji_Presentation}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Yi}\u3000\uff01-\uff60\uffe0-\uffe6]$/u;
const COMBINING = /^[\p{Mn}\p{Me}]$/u;

function characterColumns(character: string): number {
  if (COMBINING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
