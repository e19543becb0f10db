import type { Difference } from "../kubernetes/compare.ts";
import { itemsOf, type ItemOf, type ObjectChange, type ObjectName, type PlanItem } from "./plan/item.ts";
import type { Prepared } from "./prepare.ts";

/** An object that is not as it should be, and what a sync would make of that. */
export interface ObjectStatus {
  readonly kind: "drift" | "contested" | "refused" | "waiting";
  readonly object: ObjectName;
  /** Who made it so, as far as the API server knows. */
  readonly by: readonly string[];
  readonly fields: readonly Difference[];
  readonly reason?: string;
  readonly remedy?: string;
}

/** The objects of a plan that are not as they should be. A pause keeps them so, and is told of by itself. */
export function objectStatuses({ plan }: Pick<Prepared, "plan">): readonly ObjectStatus[] {
  return itemsOf(plan).flatMap((item) => objectStatus(item) ?? []);
}

function objectStatus(item: PlanItem): ObjectStatus | undefined {
  const { kind, object } = item;
  const nobody = { object, by: [], fields: [] };
  switch (kind) {
    case "create":
      return missing(item);
    case "change":
      return driftOf(object, item);
    case "retained":
      return item.repair && driftOf(object, item.repair);
    case "contested":
      return { kind, object, by: item.by, fields: item.fields };
    case "refused":
      return { ...nobody, kind, reason: item.reason, remedy: item.remedy };
    case "waiting":
      return waitingFor(item, nobody);
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
  const reason = `it is missing, and ${missedBy ?? ""} names it`;
  return missedBy === undefined ? undefined : { kind: "drift", object, by: [], fields: [], reason };
}

function driftOf(object: ObjectName, { cause, by, differences }: ObjectChange): ObjectStatus | undefined {
  return cause === "drift" ? { kind: "drift", object, by, fields: differences } : undefined;
}
