import { type Finding, sortFindings } from "../document/finding.ts";
import { shorten } from "../document/yaml/judge.ts";
import type { Run } from "../ports.ts";
import type { Context } from "./context.ts";
import type { People } from "./facts.ts";
import { type CheckWorld, gather } from "./gather/gather.ts";
import { type CheckedChange, load } from "./load.ts";
import type { FactName } from "./required.ts";
import type { CheckResult, NotRun, WaivedFinding } from "./result.ts";
import type { Rule, Violation } from "./rule.ts";
import { RULES } from "./rules.ts";
import type { VersionSubject } from "./subject.ts";
import { waiverFor } from "./waiver.ts";

/** What to judge, and on whose behalf. */
export interface CheckRequest extends CheckedChange {
  readonly people: People;
  /** The facts that have to be known; none unless a person says so. */
  readonly required?: readonly FactName[];
  /** The rules to hold against it; all of them, unless a person asked for some. */
  readonly rules?: readonly Rule[];
}

/** What was found, and what it was found in. */
export interface Checked {
  readonly result: CheckResult;
  readonly context: Context;
}

/**
 * Holds every rule against a change, or against everything that a repository says.
 * Throws the Faults of what it reads; what is wrong in a file is a finding.
 */
export async function check(request: CheckRequest, world: CheckWorld, run: Run): Promise<Checked> {
  const { rules = RULES, required = [] } = request;
  const loaded = await load(request, run);
  const context = await gather(loaded, { ...request, required }, world, run);
  const { head, base, files } = loaded;
  const result = { revision: head.revision, base: base?.revision, files, rules, ...judge(rules, context) };
  return { result, context };
}

/** What the rules say of a change. */
interface RuleOutcome {
  readonly findings: readonly Finding[];
  readonly waived: readonly WaivedFinding[];
  readonly notRun: readonly NotRun[];
}

/** Holds every rule against `context`. Two templates of one version say the same of one place: it is said once. */
export function judge(rules: readonly Rule[], context: Context): RuleOutcome {
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
function subjectText({ module, version }: VersionSubject): string {
  return `${module} ${version}`;
}
