import type { Evidence } from "../../catalogue/evidence.ts";
import type { Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { running, Services } from "./clocks.ts";
import type { AsOf, ModuleHistory } from "./history.ts";
import { heldPeriods, type HeldPeriod } from "./holding.ts";
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

/** What the clocks of a step are read from, of a whole history. */
export interface Clocks {
  readonly subject: Subject;
  readonly services: Services;
  readonly held: readonly HeldPeriod[];
}

/** The clocks of a module in a channel. */
export function clocksOf(subject: Subject, history: ModuleHistory, evidence: readonly Evidence[]): Clocks {
  return {
    subject,
    services: new Services(subject, history, evidence),
    held: heldPeriods(subject, history),
  };
}

/**
 * What the clocks of a step had, as of when it came, whether the policy asks for them or not: one for each level up to the
 * step's, which is the last.
 */
export function soakServed(
  { subject, services, held }: Clocks,
  { version, level }: { readonly version: ModuleVersion; readonly level: Level },
  asOf: AsOf,
): readonly SoakServed[] {
  const served = services.of(version, level, asOf);
  return stepClocks(subject, version, level).map(({ level: each, what, counts }) => ({
    level: each,
    what,
    // What a hold did after that moment does not matter here.
    ms: lengthBefore(running(served, held, counts), asOf.nowMs),
  }));
}
