import type { Finding, Severity } from "../document/finding.ts";

/** The result of `check`, which every report prints. */
export interface CheckResult {
  /** The commit that was judged; `undefined` for a working tree. */
  readonly revision: string | undefined;
  /** The commit that the change is compared with; `undefined` when everything was judged. */
  readonly base: string | undefined;
  /** Findings, in reading order. */
  readonly findings: readonly Finding[];
  /** Waived findings, in reading order. */
  readonly waived: readonly WaivedFinding[];
  /** Rules that did not run because facts were missing. They have not passed. */
  readonly notRun: readonly NotRun[];
  /** The number of files that the rules judged. */
  readonly files: number;
  /** The applied rules, in the order of `--explain`. */
  readonly rules: readonly RuleSummary[];
}

/** A finding that does not count, and its waiver. */
export interface WaivedFinding {
  readonly finding: Finding;
  readonly waiver: {
    readonly reason: string;
    /** ISO 8601 with zone. */
    readonly until: string;
    /** The file of the waiver. */
    readonly file: string;
    readonly line: number;
  };
}

/** A rule that did not run on a subject. */
export interface NotRun {
  readonly rule: string;
  /** The version that it did not run on, such as `istio 1.3.3`; `undefined` if it did not run at all. */
  readonly subject: string | undefined;
  /** A clause in lower case, without a full stop: `the registry was not asked (--offline)`. */
  readonly why: string;
}

/** The parts of a rule that reports show. */
export interface RuleSummary {
  readonly id: string;
  readonly severity: Severity;
  /** The demand, one sentence. */
  readonly demand: string;
  /** The reason, a few sentences. */
  readonly rationale: string;
  /** Where the demand comes from: a document or an address. */
  readonly source: string;
}
