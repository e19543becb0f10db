import { fieldText } from "../../kubernetes/compare.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { PlanInput } from "./input.ts";
import type { ItemOf, PlanItem } from "./item.ts";

/** The annotation that counts repairs of an object. lifecycle-manager ignores it, unlike content and labels. */
export const REPAIRS_ANNOTATION = "kyma-modules/repairs";

/** After so many repairs of the same fields in a short time, the object is contested. */
const MOST_REPAIRS = 3;
/** Repairs that are further apart are unrelated. Milliseconds. */
const SOON_MS = 60 * 60_000;

interface Repairs {
  readonly fields: string;
  readonly count: number;
  readonly at: string;
}

/** Counts a repair. An object whose repair was undone repeatedly is contested, and left alone for a while. */
export function judgeRepair(change: ItemOf<"change">, { nowMs }: PlanInput): PlanItem {
  if (change.cause !== "drift") return change;
  const { object, live, desired, differences, by } = change;
  const fields = differences.map(({ path }) => fieldText(path)).join(" ");
  const count = repairsBefore(live, fields, nowMs);
  if (count >= MOST_REPAIRS) return { kind: "contested", object, by, fields: differences };
  const repairs: Repairs = { fields, count: count + 1, at: new Date(nowMs).toISOString() };
  const annotations = { ...desired.metadata.annotations, [REPAIRS_ANNOTATION]: JSON.stringify(repairs) };
  return { ...change, desired: { ...desired, metadata: { ...desired.metadata, annotations } } };
}

function repairsBefore({ metadata }: KubernetesObject, fields: string, nowMs: number): number {
  const repairs = readRepairs(metadata.annotations?.[REPAIRS_ANNOTATION] ?? "");
  if (repairs?.fields !== fields) return 0;
  const agoMs = nowMs - Date.parse(repairs.at);
  return agoMs >= 0 && agoMs < SOON_MS ? repairs.count : 0;
}

/** Reads the annotation; `undefined` for anything that we did not write. */
function readRepairs(text: string): (Partial<Repairs> & { readonly count: number; readonly at: string }) | undefined {
  try {
    const { fields, count, at } = JSON.parse(text) as Repairs;
    return typeof count === "number" && typeof at === "string" ? { fields, count, at } : undefined;
  } catch {
    return undefined;
  }
}
