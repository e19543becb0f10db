import type { Evidence } from "../../catalogue/evidence.ts";
import type { Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { running, servicesOf } from "./clocks.ts";
import type { ModuleHistory } from "./history.ts";
import { heldPeriods } from "./holding.ts";
import { lengthBefore } from "./interval.ts";
import { stepClocks } from "./soak.ts";
import type { Subject } from "./subject.ts";

/** How long a clock had run. */
export interface SoakServed {
  readonly level: Level;
  /** What was served, for people: a version, or `the line 1.2`. */
  readonly what: string;
  readonly ms: number;
}

/**
 * What the clocks of a step had at `atMs`, whether the policy asks for them or not: one for each level up to the step's,
 * which is the last.
 */
export function soakServed(
  subject: Subject,
  { version, level }: { readonly version: ModuleVersion; readonly level: Level },
  history: ModuleHistory,
  evidence: readonly Evidence[],
  atMs: number,
): readonly SoakServed[] {
  const services = servicesOf(subject, history, evidence, atMs);
  const held = heldPeriods(subject, history);
  return stepClocks(subject, version, level).map(({ level: each, what, counts }) => ({
    level: each,
    what,
    ms: lengthBefore(running(services, held, counts), atMs),
  }));
}
