import { fieldText } from "../../kubernetes/compare.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { PlanInput } from "./input.ts";
import type { ItemOf, PlanItem } from "./item.ts";

/** The annotation in which repairs of an object are counted. It is neither content nor a label: lifecycle-manager does not look. */
export const REPAIRS_ANNOTATION = "kyma-modules/repairs";

/** So many repairs of the same fields, one soon after the other, are a fight. */
const MOST_REPAIRS = 3;
/** Repairs that lie further apart have nothing to do with one another. Milliseconds. */
const SOON_MS = 60 * 60_000;

interface Repairs {
  readonly fields: string;
  readonly count: number;
  readonly at: string;
}

/** Counts a repair; one that a person undid again and again is contested, and left alone for a while. */
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

/** What someone else wrote there counts as nothing. */
function readRepairs(text: string): (Partial<Repairs> & { readonly count: number; readonly at: string }) | undefined {
  try {
    const { fields, count, at } = JSON.parse(text) as Repairs;
    return typeof count === "number" && typeof at === "string" ? { fields, count, at } : undefined;
  } catch {
    return undefined;
  }
}
