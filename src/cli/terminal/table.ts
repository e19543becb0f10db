import type { Output } from "./output.ts";

/** Rows under a header, in columns as wide as they have to be. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], output: Output): string {
  const widths = header.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [output.paint("strong", line(header)), ...rows.map(line)].join("\n");
}
