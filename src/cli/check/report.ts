import { githubReport } from "../../check/report/github.ts";
import { checkItems } from "../../check/report/json.ts";
import { junitReport } from "../../check/report/junit.ts";
import { printableJson } from "../../document/printable.ts";
import type { ReportFacts } from "../../check/report/reportFacts.ts";
import { sarifReport } from "../../check/report/sarif.ts";
import { textReport, type Paper } from "../../check/report/text.ts";
import type { CheckResult } from "../../check/result.ts";
import type { CheckFormat } from "../terminal/formats.ts";
import { jsonDocument } from "../terminal/output.ts";

/** The input of a report. */
export interface CheckReport {
  readonly result: CheckResult;
  readonly facts: ReportFacts;
}

/** The reports of a result, by format. */
export function checkReports({ result, facts }: CheckReport): Readonly<Record<CheckFormat, (paper: Paper) => string>> {
  const { revision } = result;
  const { decidedAt } = facts;
  return {
    text: (paper) => textReport(result, facts, paper),
    json: () => printableJson(jsonDocument("Check", { revision, decidedAt }, checkItems(result))),
    github: () => githubReport(result, facts),
    sarif: () => sarifReport(result, facts),
    junit: () => junitReport(result, facts),
  };
}
