import type { Position } from "./finding.ts";

/** Turns offsets into a text into lines and columns. */
export type Positions = (offset: number) => Position;

/** The positions of `text`. Counts its lines once: a file of a megabyte can have some hundred thousand problems. */
export function positionsOf(text: string): Positions {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return (offset) => {
    let [first, last] = [0, starts.length - 1];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if (Number(starts[middle]) <= offset) first = middle;
      else last = middle - 1;
    }
    return { line: first + 1, column: offset - Number(starts[first]) + 1 };
  };
}

/** The line and column of an offset into `text`; both count from 1. */
export function positionAt(text: string, offset: number): Position {
  return positionsOf(text)(offset);
}
