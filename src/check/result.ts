import type { Finding, Severity } from "../document/finding.ts";

/** What `check` found: the value that every report prints. */
export interface CheckResult {
  /** The commit that was judged; `undefined` for a working tree. */
  readonly revision: string | undefined;
  /** The commit that the change is compared with; `undefined` when everything was judged. */
  readonly base: string | undefined;
  /** What is wrong, in the order in which people read it. */
  readonly findings: readonly Finding[];
  /** What would be wrong, had nobody waived it. */
  readonly waived: readonly WaivedFinding[];
  /** What nobody judged: a rule whose facts were missing has not passed. */
  readonly notRun: readonly NotRun[];
  /** How many files were read and held against the rules. */
  readonly files: number;
  /** Every rule that there is, in the order of `--explain`. */
  readonly rules: readonly RuleSummary[];
}

/** A finding that does not count, and why. */
export interface WaivedFinding {
  readonly finding: Finding;
  readonly waiver: {
    readonly reason: string;
    /** ISO 8601 with zone. */
    readonly until: string;
    /** Where the waiver stands. */
    readonly file: string;
    readonly line: number;
  };
}

/** A rule that was not held against something. */
export interface NotRun {
  readonly rule: string;
  /** What it was not held against: `istio 1.3.3`; `undefined` when against nothing at all. */
  readonly subject: string | undefined;
  /** Half a sentence without a capital and without a full stop: `the registry was not asked (--offline)`. */
  readonly why: string;
}

/** What a report says of a rule as such. */
export interface RuleSummary {
  readonly id: string;
  readonly severity: Severity;
  /** What is demanded, one sentence. */
  readonly demand: string;
  /** Why, a few sentences. */
  readonly rationale: string;
  /** Where the demand comes from: a document or an address. */
  readonly source: string;
}
