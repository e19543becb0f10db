import { locate, type YamlFile } from "../document/yaml/read.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import type { Position, Severity } from "../document/finding.ts";
import type { Template } from "../catalogue/template.ts";
import type { Context } from "./context.ts";
import type { Example } from "./example.ts";
import type { RuleSummary } from "./result.ts";
import type { VersionSubject } from "./subject.ts";

/** What a rule looks at, in the order in which people read about it. */
export const GROUPS = [
  "file",
  "template",
  "version",
  "channel",
  "descriptor",
  "manifest",
  "image",
  "rights",
  "crd",
  "default-cr",
  "dependencies",
  "ownership",
] as const;

/** One of `GROUPS`. */
export type Group = (typeof GROUPS)[number];

/**
 * One demand on a change. A pure function of what the repository says and of gathered facts; its examples are its test,
 * and what `--explain` shows.
 */
export interface Rule extends RuleSummary {
  readonly group: Group;
  /** Whether the owners of a module can ask to overlook it; what would make a file ambiguous cannot be overlooked. */
  readonly waivable: boolean;
  /** Everything that is wrong, and everything that could not be judged. */
  readonly judge: (context: Context) => Iterable<Violation | Unjudged>;
  /** A change that the rule refuses, at the last line that holds `at`; where two files contradict, also in the other. */
  readonly bad: Example & { readonly at: ExampleLine; readonly alsoAt?: readonly ExampleLine[] };
  /** The same change, mended. */
  readonly good: Example;
}

/** A line of a file, by a text that it holds; an empty one marks the first line. */
export interface ExampleLine {
  readonly file: string;
  readonly line: string;
}

/** One thing that a rule found wrong. */
export interface Violation {
  readonly kind: "violation";
  readonly file: string;
  readonly position: Position;
  /** Says what is wrong, of what; a full sentence. */
  readonly message: string;
  /** See `Finding.example`. */
  readonly example?: string;
  /** Says what to do; a full sentence. */
  readonly remedy: string;
  /** Other than the rule's own. */
  readonly severity?: Severity;
  readonly subject?: VersionSubject;
}

/** What a rule could not judge, since a fact is missing. Not the same as having passed. */
export interface Unjudged {
  readonly kind: "unjudged";
  /** `undefined`: nothing at all was judged. */
  readonly subject?: VersionSubject;
  /** Half a sentence without a capital and without a full stop. */
  readonly why: string;
}

/** What a violation says beyond its place. */
export interface Complaint {
  readonly message: string;
  readonly example?: string;
  readonly remedy: string;
  readonly severity?: Severity;
}

/** A violation at the value at `path` of a file; for a missing value, at its nearest parent. */
export function violation(file: YamlFile, path: YamlPath, complaint: Complaint, subject?: VersionSubject): Violation {
  const place = { file: file.path, position: locate(file, path) };
  return { kind: "violation", ...place, ...complaint, ...(subject && { subject }) };
}

/** A violation at the value at `path` of a template, on behalf of its version. */
export function inTemplate(template: Template, path: YamlPath, complaint: Complaint): Violation {
  const { file, module, version } = template;
  return violation(file, path, complaint, { module, version });
}

/** Says that something is unknown, and why. */
export function unjudged(why: string, subject?: VersionSubject): Unjudged {
  return { kind: "unjudged", why, ...(subject && { subject: { module: subject.module, version: subject.version } }) };
}
