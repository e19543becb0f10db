import { locate, type YamlFile } from "../document/yaml/read.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import type { Position, Severity } from "../document/finding.ts";
import type { Template } from "../catalogue/template.ts";
import type { Context } from "./context.ts";
import type { Example } from "./example.ts";
import type { RuleSummary } from "./result.ts";
import type { VersionSubject } from "./subject.ts";

/** The groups of rules, in reading order. */
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
 * One demand on a change. Its `judge` is a pure function of the catalogue and the gathered facts. Its examples are its
 * test, and `--explain` shows them.
 */
export interface Rule extends RuleSummary {
  readonly group: Group;
  /** Whether a waiver can suppress it. Rules against ambiguous files cannot be waived. */
  readonly waivable: boolean;
  /** Yields all violations, and everything that could not be judged. */
  readonly judge: (context: Context) => Iterable<Violation | Unjudged>;
  /**
   * A change that the rule refuses, at the last line that contains `at`; if two files contradict each other, also at
   * `alsoAt`.
   */
  readonly bad: Example & { readonly at: ExampleLine; readonly alsoAt?: readonly ExampleLine[] };
  /** The same change, fixed. */
  readonly good: Example;
}

/** A line of a file, identified by text in it; an empty text marks the first line. */
interface ExampleLine {
  readonly file: string;
  readonly line: string;
}

/** A violation of a rule. */
export interface Violation {
  readonly kind: "violation";
  readonly file: string;
  readonly position: Position;
  /** The problem and its subject, as a full sentence. */
  readonly message: string;
  /** See `Finding.example`. */
  readonly example?: string;
  /** The remedy, as a full sentence. */
  readonly remedy: string;
  /** Overrides the severity of the rule. */
  readonly severity?: Severity;
  readonly subject?: VersionSubject;
}

/** A subject that a rule could not judge because a fact is missing. It has not passed. */
export interface Unjudged {
  readonly kind: "unjudged";
  /** `undefined` if nothing was judged. */
  readonly subject?: VersionSubject;
  /** A clause in lower case, without a full stop. */
  readonly why: string;
}

/** The content of a violation, without its place. */
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

/** The severity of a demand that counts in a catalogue: outside of one, a note. */
export function noteIfLoose({ isLoose }: Context): Pick<Complaint, "severity"> {
  return isLoose ? { severity: "note" } : {};
}

/** A violation at the value at `path` of a template. Its subject is the version of the template. */
export function inTemplate(template: Template, path: YamlPath, complaint: Complaint): Violation {
  const { file, module, version } = template;
  return violation(file, path, complaint, { module, version });
}

/** Reports that a subject could not be judged, and why. */
export function unjudged(why: string, subject?: VersionSubject): Unjudged {
  return { kind: "unjudged", why, ...(subject && { subject: { module: subject.module, version: subject.version } }) };
}
