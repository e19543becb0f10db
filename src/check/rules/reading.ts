import type { Context } from "../context.ts";
import type { Group, Rule, Violation } from "../rule.ts";

/** A rule whose violations are seen while a file is read; an error unless it says otherwise. */
type ReadingRule = Omit<Rule, "group" | "severity" | "waivable" | "judge"> & Partial<Pick<Rule, "severity">>;

/** The rules that only repeat what reading found. Nobody can waive what makes a file ambiguous. */
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
