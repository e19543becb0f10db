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
import { waiverFor } from "./waiver.ts";

/** The change to judge, and the options of the check. */
export interface CheckRequest extends CheckedChange {
  readonly people: People;
  /** The folder of its repository in which the catalogue is, with "/" at the end; empty, by default, at the top. */
  readonly folder?: string;
  /** The facts that must be known; none by default. */
  readonly required?: readonly FactName[];
  /** The rules to apply; all by default. */
  readonly rules?: readonly Rule[];
}

/** The result of a check, and the context that the rules judged. */
export interface Checked {
  readonly result: CheckResult;
  readonly context: Context;
}

/**
 * Applies the rules to a change, or to a whole repository.
 * Throws the Faults of its sources; an error in a file is a finding.
 */
export async function check(request: CheckRequest, world: CheckWorld, run: Run): Promise<Checked> {
  const { rules = RULES, required = [] } = request;
  const loaded = await load(request, run);
  const context = await gather(loaded, { ...request, required }, world, run);
  const { head, base, files } = loaded;
  const outcome = judge(rules, context);
  const findings = sortFindings([...outcome.findings, ...unreadFindings(rules, context)]);
  const result = { revision: head.revision, base: base?.revision, files, rules, ...outcome, findings };
  return { result, context };
}

/** The errors of files that could not be read, whichever rules are applied: a rule does not judge what it cannot see. */
function unreadFindings(rules: readonly Rule[], { findings }: Context): readonly Finding[] {
  const applied = new Set(rules.map(({ id }) => id));
  return findings.filter(({ rule, severity }) => severity === "error" && !applied.has(rule));
}

/** The outcomes of all rules on a change. */
interface RuleOutcome {
  readonly findings: readonly Finding[];
  readonly waived: readonly WaivedFinding[];
  readonly notRun: readonly NotRun[];
}

/**
 * Applies `rules` to `context`. Equal outcomes are reported once: two templates of one version can give the same one.
 */
export function judge(rules: readonly Rule[], context: Context): RuleOutcome {
  const findings = new Map<string, Finding>();
  const waived = new Map<string, WaivedFinding>();
  const notRun = new Map<string, NotRun>();
  for (const rule of rules) {
    for (const outcome of rule.judge(context)) {
      if (outcome.kind === "unjudged") {
        const { subject, why } = outcome;
        const entry = { rule: rule.id, subject: subject && `${subject.module} ${subject.version}`, why };
        notRun.set(JSON.stringify(entry), entry);
        continue;
      }
      const finding = ruleFinding(rule, outcome);
      const waiver = rule.waivable ? waiverFor(rule.id, outcome.subject, context) : undefined;
      if (waiver === undefined) findings.set(JSON.stringify(finding), finding);
      else waived.set(JSON.stringify(finding), { finding, waiver });
    }
  }
  const byFinding = new Map([...waived.values()].map((entry) => [entry.finding, entry]));
  return {
    findings: sortFindings([...findings.values()]),
    waived: sortFindings([...byFinding.keys()]).flatMap((finding) => byFinding.get(finding) ?? []),
    notRun: [...notRun.values()],
  };
}

/** Longest text of a finding, in characters: messages quote files, which can be large. */
const LONGEST_TEXT = 4000;

function ruleFinding({ id, severity: usual }: Rule, { file, position, severity, ...texts }: Violation): Finding {
  const { message, example, remedy } = texts;
  return {
    ...{ rule: id, severity: severity ?? usual, file, ...position },
    message: shorten(message, LONGEST_TEXT),
    ...(example !== undefined && { example: shorten(example, LONGEST_TEXT) }),
    remedy: shorten(remedy, LONGEST_TEXT),
  };
}
