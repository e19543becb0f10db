import { sortFindings, type Finding } from "../catalogue/finding.ts";
import { shorten } from "../catalogue/yamlJudge.ts";
import type { Context } from "./context.ts";
import type { NotRun, WaivedFinding } from "./result.ts";
import type { Rule, Violation } from "./rule.ts";
import type { Subject } from "./subject.ts";
import { waiverFor } from "./waiver.ts";

/** What the rules say of a change. */
export interface Judgement {
  readonly findings: readonly Finding[];
  readonly waived: readonly WaivedFinding[];
  readonly notRun: readonly NotRun[];
}

/** Holds every rule against `context`. Two templates of one version say the same of one place: it is said once. */
export function judge(rules: readonly Rule[], context: Context): Judgement {
  const findings = new Map<string, Finding>();
  const waived = new Map<string, WaivedFinding>();
  const notRun = new Map<string, NotRun>();
  for (const rule of rules) {
    for (const outcome of rule.judge(context)) {
      if (outcome.kind === "unjudged") {
        const { subject, why } = outcome;
        const entry = { rule: rule.id, subject: subject && subjectText(subject), why };
        notRun.set(JSON.stringify(entry), entry);
        continue;
      }
      const finding = findingOf(rule, outcome);
      const waiver = rule.waivable ? waiverFor(rule.id, outcome.subject, context) : undefined;
      if (waiver === undefined) findings.set(JSON.stringify(finding), finding);
      else waived.set(JSON.stringify(finding), { finding, waiver });
    }
  }
  return {
    findings: sortFindings([...findings.values()]),
    waived: sortWaived([...waived.values()]),
    notRun: [...notRun.values()],
  };
}

/** What a file says may be part of a message, and a file may say it in ten megabytes. Characters. */
const LONGEST_TEXT = 4000;

function findingOf({ id, severity: usual }: Rule, { file, position, severity, ...texts }: Violation): Finding {
  const { message, example, remedy } = texts;
  return {
    ...{ rule: id, severity: severity ?? usual, file, ...position },
    message: shorten(message, LONGEST_TEXT),
    ...(example !== undefined && { example: shorten(example, LONGEST_TEXT) }),
    remedy: shorten(remedy, LONGEST_TEXT),
  };
}

function sortWaived(waived: readonly WaivedFinding[]): readonly WaivedFinding[] {
  const byFinding = new Map(waived.map((entry) => [entry.finding, entry]));
  return sortFindings([...byFinding.keys()]).flatMap((finding) => byFinding.get(finding) ?? []);
}

/** `istio 1.3.3`. */
export function subjectText({ module, version }: Subject): string {
  return `${module} ${version}`;
}
