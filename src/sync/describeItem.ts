import { planEntries, planItems, type ObjectChange, type Plan, type PlanItem } from "./plan/item.ts";
import { describeEntry, type Description } from "./describeEntry.ts";
import { type Difference, fieldText } from "../kubernetes/compare.ts";
import { DESIRED_ANNOTATION } from "../kubernetes/object.ts";

/** The number of fields shown for a change; the others are counted. An adoption shows all fields. */
const SHOWN_FIELDS = 5;

/** The object of an item: `ModuleTemplate istio-1.2.0`. */
export function planItemName({ object: { kind, name, field } }: PlanItem): string {
  return `${kind} ${name}${field === undefined ? "" : ` ${field}`}`;
}

/** Describes an object of a plan. */
export function describeItem(item: PlanItem): Description {
  switch (item.kind) {
    case "create":
      return { verb: "create", style: "good", details: missingDetails(item.missedBy) };
    case "change":
      return { verb: VERBS[item.cause], style: "change", details: changeDetails(item) };
    case "unchanged":
      return { verb: "unchanged", style: "quiet", details: [] };
    case "retained":
      return describeRetained(item.because, item.repair);
    case "prune":
      return item.carriedOut
        ? { verb: "prune", style: "bad", details: [] }
        : { verb: "left over", style: "quiet", details: ["no Kyma uses it; --prune removes it"] };
    case "refused":
      return { verb: "refused", style: "bad", details: [`${item.reason} [${item.refusal}]`, item.remedy] };
    case "contested":
      return { verb: "contested", style: "bad", details: contestedDetails(item) };
    case "waiting":
      return { verb: "waiting", style: "change", details: [item.reason] };
  }
}

/** Explains which client undoes which fields, and what to do. */
export function contestedDetails({
  by,
  fields,
}: {
  by: readonly string[];
  fields: readonly Difference[];
}): readonly string[] {
  const what = fields.length === 0 ? "" : `: ${fields.map(({ path }) => fieldText(path)).join(", ")}`;
  return [
    `${by.join(", ") || "another client"} keeps overwriting what kyma-modules wrote${what}`,
    "Find out which of the two is right, and stop the other; a later sync tries again.",
  ];
}

function missingDetails(missedBy: string | undefined): readonly string[] {
  return missedBy === undefined ? [] : [`missing, although ${missedBy} names it`];
}

function describeRetained(because: string, repair: ObjectChange | undefined): Description {
  return repair === undefined
    ? { verb: "retained", style: "quiet", details: [because] }
    : { verb: "repair", style: "change", details: [because, ...changeDetails(repair)] };
}

const VERBS = { repository: "change", drift: "repair", adoption: "adopt" } as const;

function changeDetails({ cause, by, differences, warning }: ObjectChange): readonly string[] {
  const who = cause === "drift" ? [`changed by ${by.join(", ") || "an unknown client"}`] : [];
  const isAdoption = cause === "adoption";
  const fields = differences
    .filter(({ path }) => differences.length === 1 || path[2] !== DESIRED_ANNOTATION)
    .toSorted((a, b) => differenceRank(a, isAdoption) - differenceRank(b, isAdoption))
    .map(fieldLine);
  const shown = isAdoption ? fields.length : SHOWN_FIELDS;
  const more = fields.length > shown ? [`and ${fields.length - shown} more fields`] : [];
  return [...who, ...fields.slice(0, shown), ...more, ...(warning === undefined ? [] : [`warning: ${warning}`])];
}

/** An adoption lists removed fields first, those of the spec at the top. */
function differenceRank({ path: [root], kind }: Difference, isAdoption: boolean): number {
  if (!isAdoption) return 0;
  return (kind === "extra" ? 0 : 2) + (root === "spec" ? 0 : 1);
}

function fieldLine({ path, kind, wanted, found }: Difference): string {
  switch (kind) {
    case "missing":
      return `${fieldText(path)}: add ${short(wanted)}`;
    case "changed":
      return `${fieldText(path)}: ${short(found)} → ${short(wanted)}`;
    case "extra":
      return `${fieldText(path)}: remove ${short(found)}`;
  }
}

/** A commit, with the suffix of a working tree that differs from it. */
const COMMIT = /^([0-9a-f]{10})[0-9a-f]{30}((?:\+dirty)?)$/;

function short(value: unknown): string {
  const text = typeof value === "string" ? value.replace(COMMIT, "$1$2") : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Summarizes a plan: `1 raise, 12 unchanged; objects: 2 create, 1 change`. Verbs are in order of first appearance. */
export function planSummary(plan: Plan): string {
  const entries = countVerbs(planEntries(plan).map((entry) => describeEntry(entry).verb));
  const objects = countVerbs(
    planItems(plan).flatMap((item) => (item.kind === "unchanged" ? [] : [describeItem(item).verb])),
  );
  return itemSummary(entries, objects);
}

/** Joins the counts of entries and of objects. */
export function itemSummary(entries: string, objects: string): string {
  if (entries === "") return objects === "" ? "nothing is served" : `objects: ${objects}`;
  return `${entries}${objects === "" ? "" : `; objects: ${objects}`}`;
}

/** Counts each verb: `1 raise, 12 unchanged`. */
export function countVerbs(verbs: readonly string[]): string {
  const counts = Map.groupBy(verbs, (verb) => verb);
  return [...counts].map(([verb, group]) => `${group.length} ${verb}`).join(", ");
}
