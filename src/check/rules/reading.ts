import type { Context } from "../context.ts";
import type { Group, Rule, Violation } from "../rule.ts";

/** A rule whose violations are found while a file is read. Its default severity is error. */
type ReadingRule = Omit<Rule, "group" | "severity" | "waivable" | "judge"> & Partial<Pick<Rule, "severity">>;

/** Rules that repeat findings from reading files. They cannot be waived, since the findings make a file ambiguous. */
export function readingRules(group: Group, rules: readonly ReadingRule[]): readonly Rule[] {
  return rules.map((rule) => ({
    severity: "error",
    ...rule,
    group,
    waivable: false,
    judge: ({ findings }) => found(findings, rule.id),
  }));
}

function found(findings: Context["findings"], id: string): readonly Violation[] {
  return findings
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
