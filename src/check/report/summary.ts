import { counted } from "../../document/counted.ts";
import type { Severity } from "../../document/finding.ts";
import type { CheckResult, NotRun } from "../result.ts";

/** The counts of a result. */
interface Counts {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Files that have at least one finding. */
  readonly filesWithFindings: number;
  readonly waived: number;
  /** Rules that did not run on something; each counts once. */
  readonly rulesNotRun: number;
}

/** Counts a result. */
export function countResult({ findings, waived, notRun, files }: CheckResult): Counts {
  const of = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  return {
    files,
    errors: of("error"),
    warnings: of("warning"),
    notes: of("note"),
    filesWithFindings: new Set(findings.map(({ file }) => file)).size,
    waived: waived.length,
    rulesNotRun: new Set(notRun.map(({ rule }) => rule)).size,
  };
}

/** `3 errors, 1 warning, 2 notes in 2 of 812 files; 4 waived; 6 rules not run (0.84 s)`. */
export function summaryText(result: CheckResult, tookMs: number): string {
  return [verdictText(countResult(result)), ...reservations(countResult(result))].join("; ") + ` (${seconds(tookMs)})`;
}

/** `3 errors, 1 warning in 2 of 812 files`, or `No findings in 812 files`. */
export function verdictText({ errors, warnings, notes, filesWithFindings, files }: Counts): string {
  const parts = [counted(errors, "error"), counted(warnings, "warning"), counted(notes, "note")];
  const found = parts.filter((part) => !part.startsWith("0 "));
  // A finding may be in a file that could not be read.
  const all = Math.max(files, filesWithFindings);
  if (found.length > 0) return `${found.join(", ")} in ${filesWithFindings} of ${counted(all, "file")}`;
  return files === 0 ? "No findings, since no file was checked" : `No findings in ${counted(files, "file")}`;
}

/** The limits of the verdict, such as `4 waived` and `6 rules not run`. */
export function reservations({ waived, rulesNotRun }: Counts): readonly string[] {
  return [
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(rulesNotRun > 0 ? [`${counted(rulesNotRun, "rule")} not run`] : []),
  ];
}

/** `0.84 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** A rule that did not run, and its subjects; none if it did not run at all. */
interface NotRunRule {
  readonly rule: string;
  readonly subjects: readonly string[];
}

/** The rules that did not run, by reason and then by rule, in order of appearance. */
export function groupNotRun(notRun: readonly NotRun[]): ReadonlyMap<string, readonly NotRunRule[]> {
  const byReason = Map.groupBy(notRun, ({ why }) => why);
  return new Map(
    [...byReason].map(([why, group]) => {
      const rules = [...Map.groupBy(group, ({ rule }) => rule)].map(([rule, entries]): NotRunRule => {
        const subjects = entries.flatMap(({ subject }) => subject ?? []);
        return { rule, subjects: subjects.length < entries.length ? [] : subjects };
      });
      return [why, rules];
    }),
  );
}

/** The number of subjects that are named; the others are counted. */
const SHOWN_SUBJECTS = 5;

/** `image-digest: istio 1.3.3, keda 1.0.0 and 40 more`; only the rule if it did not run at all. */
export function notRunText({ rule, subjects }: NotRunRule): string {
  return subjects.length === 0 ? rule : `${rule}: ${subjectsText(subjects)}`;
}

/** `istio 1.3.3, keda 1.0.0 and 40 more`. */
export function subjectsText(subjects: readonly string[]): string {
  const more = subjects.length - SHOWN_SUBJECTS;
  return `${subjects.slice(0, SHOWN_SUBJECTS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The ids of all rules of a result: the applied rules, then others that its entries name. */
export function ruleIds({ rules, findings, waived, notRun }: CheckResult): readonly string[] {
  const named = [...findings, ...waived.map(({ finding }) => finding), ...notRun].map(({ rule }) => rule);
  return [...new Set([...rules.map(({ id }) => id), ...named.toSorted()])];
}
