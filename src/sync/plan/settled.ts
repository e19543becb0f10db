import { isDeepStrictEqual } from "node:util";
import type { Compilation } from "../../catalogue/compile.ts";
import { oncePer } from "../../document/once.ts";
import { OPEN_GATE, type PlanInput } from "./input.ts";
import type { ModulePlan } from "./item.ts";
import type { EntryRecord, Records } from "./records.ts";
import { isWithheld, type ModuleSlice, slicesOf } from "./slice.ts";

/** A module that had nothing to do. */
interface Settled {
  readonly slice: ModuleSlice;
  readonly recorded: Records["kind"];
  readonly plan: ModulePlan;
}

const SETTLED = oncePer((_: Compilation) => new Map<string, Settled>());

/**
 * The cached plan of a module that had nothing to do and has not changed since; otherwise `undefined`. A change of one
 * module makes a controller plan thousands.
 */
export function settledPlan(slice: ModuleSlice, { desired, live }: PlanInput): ModulePlan | undefined {
  const known = SETTLED(desired).get(slice.module);
  if (known?.recorded !== live.records.kind) return undefined;
  const { meta, templates, recorded } = known.slice;
  const isSame =
    meta === slice.meta &&
    haveSame(templates, slice.templates, (one, other) => one === other) &&
    haveSame(recorded, slice.recorded, isSameRecord);
  return isSame ? known.plan : undefined;
}

/** The modules without a cached plan. */
export function unsettledSlices(input: PlanInput): readonly ModuleSlice[] {
  return [...slicesOf(input).values()].filter((slice) => settledPlan(slice, input) === undefined);
}

/**
 * Caches a plan with nothing to do. The plan must be made with unknown users and with an open gate: it is then valid
 * for any users, holds and options.
 */
export function remember(plan: ModulePlan, slice: ModuleSlice, { desired, live, users, gate }: PlanInput): void {
  const isSettled = [...plan.entries, ...plan.items].every(({ kind }) => kind === "unchanged");
  // What a withheld module shall be is not known yet.
  if (!isSettled || isWithheld(slice.module, desired) || users.kind !== "unknown" || gate !== OPEN_GATE) return;
  SETTLED(desired).set(slice.module, { slice, recorded: live.records.kind, plan });
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

/** Compares records without waves, which do not move a settled entry. */
function isSameRecord(a: EntryRecord, b: EntryRecord): boolean {
  if (a === b) return true;
  const isServed = a.current?.version === b.current?.version && a.next?.version === b.next?.version;
  return isServed && isDeepStrictEqual(a.terms, b.terms);
}
