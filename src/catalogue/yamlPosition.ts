import type { Position } from "./finding.ts";

/** The line and column of an offset into `text`; both count from 1. */
export function positionAt(text: string, offset: number): Position {
  const starts = lineStarts(text);
  let [first, last] = [0, starts.length - 1];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if (Number(starts[middle]) <= offset) first = middle;
    else last = middle - 1;
  }
  return { line: first + 1, column: offset - Number(starts[first]) + 1 };
}

// A file of a megabyte can have some hundred thousand problems: its lines are counted once, not for each of them.
let counted: { readonly text: string; readonly starts: readonly number[] } = { text: "", starts: [0] };

function lineStarts(text: string): readonly number[] {
  if (counted.text !== text) {
    const starts = [0];
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
    counted = { text, starts };
  }
  return counted.starts;
}
