import type { Finding, Severity } from "../../catalogue/finding.ts";

/** How many findings of one cause are shown in full. */
const SHOWN = 3;
/** How many more have a line of their own. */
const NAMED = 10;

/** Findings that are to be mended like some that are shown. */
export interface Repeated {
  readonly rule: string;
  readonly severity: Severity;
  readonly named: readonly Finding[];
  /** How many others there are. */
  readonly more: number;
}

/** Findings, and what they repeat. */
export interface Condensed {
  /** In their order. */
  readonly shown: readonly Finding[];
  readonly repeated: readonly Repeated[];
}

/** Shows the first findings of each cause: of one rule, as bad, and with one remedy. One left over is shown as well. */
export function condense(findings: readonly Finding[]): Condensed {
  const causes = Map.groupBy(findings, ({ rule, severity, remedy }) => JSON.stringify([rule, severity, remedy]));
  const groups = [...causes.values()].filter((group) => group.length > SHOWN + 1);
  const hidden = new Set(groups.flatMap((group) => group.slice(SHOWN)));
  return {
    shown: findings.filter((finding) => !hidden.has(finding)),
    repeated: groups.flatMap(repeatedIn),
  };
}

function repeatedIn(group: readonly Finding[]): readonly Repeated[] {
  const rest = group.slice(SHOWN);
  const [first] = rest;
  if (first === undefined) return [];
  const { rule, severity } = first;
  return [{ rule, severity, named: rest.slice(0, NAMED), more: Math.max(0, rest.length - NAMED) }];
}
