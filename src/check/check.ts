import type { Run } from "../ports.ts";
import type { People } from "./facts.ts";
import { gather, type CheckWorld } from "./gather.ts";
import { judge } from "./judge.ts";
import { load, type Change } from "./load.ts";
import type { CheckResult } from "./result.ts";
import type { Context } from "./context.ts";
import type { FactName } from "./required.ts";
import type { Rule } from "./rule.ts";
import { RULES } from "./rules.ts";

/** What to judge, and on whose behalf. */
export interface CheckRequest extends Change {
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
