import { isDeepStrictEqual } from "node:util";
import type { Compilation } from "../../catalogue/compile.ts";
import { oncePer } from "../../document/once.ts";
import { OPEN_GATE } from "./gate.ts";
import type { PlanInput } from "./input.ts";
import type { ModulePlan } from "./item.ts";
import type { EntryRecord, Records } from "./records.ts";
import { slicesOf, type ModuleSlice } from "./slice.ts";

/** A module that was found as it shall be. */
interface Settled {
  readonly slice: ModuleSlice;
  readonly recorded: Records["kind"];
  readonly plan: ModulePlan;
}

const SETTLED = oncePer((_: Compilation) => new Map<string, Settled>());

/**
 * The plan of a module of which nothing changed since it was found as it shall be; `undefined` for any other. A
 * controller looks at thousands of modules for the sake of one.
 */
export function settledPlan(slice: ModuleSlice, { desired, live }: PlanInput): ModulePlan | undefined {
  const known = SETTLED(desired).get(slice.module);
  return known?.recorded === live.records.kind && isSame(known.slice, slice) ? known.plan : undefined;
}

/** The modules about which something has to be decided. */
export function unsettledSlices(input: PlanInput): readonly ModuleSlice[] {
  return [...slicesOf(input).values()].filter((slice) => settledPlan(slice, input) === undefined);
}

/**
 * Remembers a plan with nothing to do. It has to be decided without knowing any user, and through a gate that accepts
 * nothing: what is right then is right whatever users, holds and options say.
 */
export function remember(plan: ModulePlan, slice: ModuleSlice, { desired, live, users, gate }: PlanInput): void {
  const isSettled = [...plan.entries, ...plan.items].every(({ kind }) => kind === "unchanged");
  if (!isSettled || users.kind !== "unknown" || gate !== OPEN_GATE) return;
  SETTLED(desired).set(slice.module, { slice, recorded: live.records.kind, plan });
}

/** Whether two slices of one compilation say the same. */
function isSame(a: ModuleSlice, b: ModuleSlice): boolean {
  return (
    a.meta === b.meta &&
    haveSame(a.templates, b.templates, (one, other) => one === other) &&
    haveSame(a.recorded, b.recorded, isSameRecord)
  );
}

function haveSame<Value>(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
  isEqual: (one: Value, other: Value) => boolean,
): boolean {
  return (
    a.size === b.size &&
    [...a].every(([key, one]) => {
      const other = b.get(key);
      return other !== undefined && isEqual(one, other);
    })
  );
}

/** How its waves stand moves nothing that is where it shall be. */
function isSameRecord(a: EntryRecord, b: EntryRecord): boolean {
  if (a === b) return true;
  const isServed = a.current?.version === b.current?.version && a.next?.version === b.next?.version;
  return isServed && isDeepStrictEqual(a.terms, b.terms);
}
