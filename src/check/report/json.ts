import type { CheckResult } from "../result.ts";
import type { Finding } from "../../document/finding.ts";
import { countResult } from "./summary.ts";

/** A result as the items of a JSON document, the counts last; schemas/output/check.schema.json. */
export function checkItems(result: CheckResult): readonly object[] {
  return [
    ...result.findings.map(findingItem),
    ...result.waived.map(({ finding, waiver: { reason, until, file, line } }) => ({
      ...{ kind: "waived", ...findingJson(finding) },
      waiver: { reason, until, file, line },
    })),
    ...result.notRun.map(({ rule, subject, why }) => ({
      ...{ kind: "not-run", rule, ...(subject !== undefined && { subject }) },
      why,
    })),
    { kind: "counts", ...countResult(result), base: result.base ?? null },
  ];
}

/** A finding as an item. */
export function findingItem(finding: Finding): object {
  return { kind: "finding", ...findingJson(finding) };
}

/** Lists the keys, so that additional keys of a finding do not become part of the format. */
function findingJson({ rule, severity, file, line, column, message, example, remedy }: Finding): Finding {
  return { rule, severity, file, line, column, message, ...(example !== undefined && { example }), remedy };
}
