import { githubReport } from "../check/report/github.ts";
import { checkItems } from "../check/report/json.ts";
import { junitReport } from "../check/report/junit.ts";
import { printableJson } from "../check/report/printable.ts";
import type { ReportFacts } from "../check/report/reportFacts.ts";
import { sarifReport } from "../check/report/sarif.ts";
import { summaryText } from "../check/report/summary.ts";
import { PLAIN, textReport, type Paper } from "../check/report/text.ts";
import type { CheckResult } from "../check/result.ts";
import type { Run } from "../ports.ts";
import type { CheckFormat, FormatTarget } from "./formatTargets.ts";
import { jsonDocument, type Output } from "./output.ts";

/** Writes whole files, by path. */
export type WriteFiles = (files: ReadonlyMap<string, string>, run: Run) => Promise<void>;

/** What a report is made from. */
export interface CheckReport {
  readonly result: CheckResult;
  readonly facts: ReportFacts;
}

/**
 * Prints and writes every report that is asked for; where none is printed, says in a line what was found.
 * Throws what `write` throws, and then everything is printed already.
 */
export async function deliverReports(
  report: CheckReport,
  targets: readonly FormatTarget[],
  output: Output,
  write: WriteFiles,
  run: Run,
): Promise<void> {
  const printed = targets.filter(({ file }) => file === undefined);
  for (const { format } of printed) output.result(reportText(report, format, output));
  if (printed.length === 0) output.say(summaryText(report.result, report.facts.tookMs));
  const files = targets.flatMap(({ format, file }): readonly [string, string][] =>
    file === undefined ? [] : [[file, `${reportText(report, format, PLAIN)}\n`]],
  );
  await write(new Map(files), run);
}

/** One report, as text. */
export function reportText({ result, facts }: CheckReport, format: CheckFormat, paper: Paper): string {
  switch (format) {
    case "text":
      return textReport(result, facts, paper);
    case "json":
      return printableJson(
        jsonDocument("Check", { revision: result.revision, decidedAt: facts.decidedAt }, checkItems(result)),
      );
    case "github":
      return githubReport(result, facts);
    case "sarif":
      return sarifReport(result, facts);
    case "junit":
      return junitReport(result, facts);
  }
}
