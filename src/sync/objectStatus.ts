import type { Difference } from "../kubernetes/compare.ts";
import { planItems, type ItemOf, type ObjectChange, type ObjectName, type PlanItem } from "./plan/item.ts";
import type { Prepared } from "./prepare.ts";

/** An object that is not as wanted, and how a sync would treat it. */
export interface ObjectStatus {
  readonly kind: "drift" | "contested" | "refused" | "waiting";
  readonly object: ObjectName;
  /** The clients that changed it, as far as the API server knows. */
  readonly by: readonly string[];
  readonly fields: readonly Difference[];
  readonly reason?: string;
  readonly remedy?: string;
}

/** The objects of a plan that are not as wanted. A paused object is reported as if it were not paused. */
export function objectStatuses({ plan }: Pick<Prepared, "plan">): readonly ObjectStatus[] {
  return planItems(plan).flatMap((item) => objectStatus(item) ?? []);
}

function objectStatus(item: PlanItem): ObjectStatus | undefined {
  const { kind, object } = item;
  const about = { object, by: [], fields: [] };
  switch (kind) {
    case "create":
      return missing(item);
    case "change":
      return objectDrift(object, item);
    case "retained":
      return item.repair && objectDrift(object, item.repair);
    case "contested":
      return { kind, object, by: item.by, fields: item.fields };
    case "refused":
      return { ...about, kind, reason: item.reason, remedy: item.remedy };
    case "waiting":
      return waitingFor(item, about);
    case "unchanged":
    case "prune":
      return undefined;
  }
}

function waitingFor(
  { kind, reason, paused }: ItemOf<"waiting">,
  about: Omit<ObjectStatus, "kind">,
): ObjectStatus | undefined {
  return paused === undefined ? { ...about, kind, reason } : objectStatus(paused);
}

function missing({ object, missedBy }: ItemOf<"create">): ObjectStatus | undefined {
  const reason = `missing, although ${missedBy ?? ""} names it`;
  return missedBy === undefined ? undefined : { kind: "drift", object, by: [], fields: [], reason };
}

function objectDrift(object: ObjectName, { cause, by, differences }: ObjectChange): ObjectStatus | undefined {
  return cause === "drift" ? { kind: "drift", object, by, fields: differences } : undefined;
}
