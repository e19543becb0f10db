import type { SchemaChange } from "../../../src/kubernetes/crd/compare.ts";
import type { Documented } from "./crdifyDocumented.ts";

/** One line of the table in the decision. */
export type Row = readonly string[];

const HEAD: Row = ["crdify's validation", "change", "crdify says", "we say", "the API server", "remark"];

/** The line of one change. */
export function rowOf(documented: Documented, changes: readonly SchemaChange[], server: string): Row {
  const { validation, change, says, remark = "" } = documented;
  return [validation, change, says, changes.map(saying).join(", ") || "nothing", server, remark];
}

function saying({ check, class: impact, certain }: SchemaChange): string {
  return `${impact} (${check}${certain ? "" : ", to be confirmed"})`;
}

/** A Markdown table as Prettier writes it. */
export function tableOf(rows: readonly Row[]): string {
  const escaped = [HEAD, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = HEAD.map((_, column) => Math.max(...escaped.map((row) => row[column]?.length ?? 0)));
  const lines = escaped.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}
