import { compareText } from "./order.ts";
import { printable, printableLines, UNPAINTED, type Painter } from "./printable.ts";

/** How bad a finding is: an `error` refuses the change, a `warning` and a `note` do not. */
export type Severity = "error" | "warning" | "note";

/** One thing that is wrong in a repository, and what to do about it. Lines and columns count from 1. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** What shows it: a line of text, and objects as YAML below it. */
  readonly example?: string;
  readonly remedy: string;
}

/** A place in a file; both numbers count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The first character of a file: the place of a finding about the file as a whole. */
export const FILE_START: Position = { line: 1, column: 1 };

/** Whether the file at `path` is wrong in a way that keeps it from being read. */
export function isBroken({ findings }: { readonly findings: readonly Finding[] }, path: string): boolean {
  return findings.some(({ file, severity }) => file === path && severity === "error");
}

/** Findings in the order in which people read them: by file, line, column, rule. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column || compareText(a.rule, b.rule),
  );
}

/** A finding as people read it: where and what on the first line, what to do below. */
export function findingText(
  { file, line, column, severity, rule, message, remedy }: Finding,
  painter: Painter = UNPAINTED,
): string {
  const style = severity === "error" ? "bad" : "change";
  const place = `${printable(file)}:${line}:${column}: ${painter.paint(style, severity)}`;
  const [first = "", ...more] = [`${message} [${rule}]`, remedy].flatMap(printableLines);
  return [`${place}: ${first}`, ...more.map((text) => `    ${text}`)].join("\n");
}
