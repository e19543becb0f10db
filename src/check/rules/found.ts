import type { Context } from "../context.ts";
import type { Violation } from "../rule.ts";

/** The judge of a rule whose violations are seen while a file is read: what it is there for is said in the rule. */
export function foundWhileReading(id: string): (context: Context) => readonly Violation[] {
  return ({ findings }) =>
    findings
      .filter(({ rule }) => rule === id)
      .map(({ file, line, column, message, remedy, severity }): Violation => ({
        kind: "violation",
        file,
        position: { line, column },
        message,
        remedy,
        severity,
      }));
}
