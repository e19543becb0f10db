import { compareText } from "./order.ts";
import { printable, printableLines, UNPAINTED, type Painter } from "./printable.ts";

/** The severity of a finding: an `error` refuses the change, a `warning` and a `note` do not. */
export type Severity = "error" | "warning" | "note";

/** One problem in a repository, with its remedy. Lines and columns count from 1. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** Demonstrates the problem: a line of text, and objects as YAML below it. */
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

/** Whether `findings` hold an error in the file at `path`, so that it cannot be read. */
export function isBroken({ findings }: { readonly findings: readonly Finding[] }, path: string): boolean {
  return findings.some(({ file, severity, rule }) => file === path && severity === "error" && !READABLE.has(rule));
}

/** Errors for the gate in a file that can be read: what is merged is still decided and served. */
const READABLE: ReadonlySet<string> = new Set(["landscape-soak"]);

/** Sorts findings for display: by file, line, column, rule. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column || compareText(a.rule, b.rule),
  );
}

/** A finding for display: place and message on the first line, the remedy below. */
export function findingText(
  { file, line, column, severity, rule, message, remedy }: Finding,
  painter: Painter = UNPAINTED,
): string {
  const style = severity === "error" ? "bad" : "change";
  const place = `${printable(file)}:${line}:${column}: ${painter.paint(style, severity)}`;
  const [first = "", ...more] = [`${message} [${rule}]`, remedy].flatMap(printableLines);
  return [`${place}: ${first}`, ...more.map((text) => `    ${text}`)].join("\n");
}

/** The key of a finding, without its position, since a change can move an existing problem. */
export function findingKey({ rule, file, message }: Finding): string {
  return JSON.stringify([rule, file, message]);
}
