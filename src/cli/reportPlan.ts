import { fieldText, type Difference } from "../kubernetes/compare.ts";
import type { Fault } from "../ports.ts";
import type { Outcome } from "../sync/apply.ts";
import { entryChanges } from "../sync/planEntries.ts";
import type { Change, Plan, PlanItem } from "../sync/planItem.ts";
import type { Output, Style } from "./output.ts";

/** Fields that are shown of one change; the rest is counted. */
const SHOWN_FIELDS = 5;

/** A plan as people read it: a line for each object that is not simply unchanged, then the counts. */
export function planText(plan: Plan, output: Output): string {
  const lines = plan.items.flatMap((item) => (item.kind === "unchanged" ? [] : itemLines(item, output)));
  return [...lines, `${plan.landscape}: ${planSummary(plan.items)}`].join("\n");
}

/** One item: what is to be done, to what, and why. */
export function itemLines(item: PlanItem, output: Output): readonly string[] {
  const { verb, style, details } = describeItem(item);
  const head = `  ${output.paint(style, verb.padEnd(9))} ${item.object.kind} ${item.object.name}`;
  return [head, ...entryLines(item), ...details.map((detail) => `              ${detail}`)];
}

function entryLines(item: PlanItem): readonly string[] {
  return entryChanges(item).map((entry) => `              ${entryText(entry)}`);
}

/** `fast/istio 1.2.0 → 1.3.0`, with `–` where the channel does not serve the module. */
export function entryText({ channel, module, from = "–", to = "–" }: ReturnType<typeof entryChanges>[number]): string {
  return `${channel}/${module} ${from} → ${to}`;
}

interface Description {
  readonly verb: string;
  readonly style: Style;
  readonly details: readonly string[];
}

function describeItem(item: PlanItem): Description {
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
      return describePrune(item.carriedOut);
    case "refused":
      return { verb: "refused", style: "bad", details: [item.reason, item.remedy] };
    case "waiting":
      return { verb: "waiting", style: "change", details: [item.reason] };
  }
}

function missingDetails(missedBy: string | undefined): readonly string[] {
  return missedBy === undefined ? [] : [`it was missing, although ${missedBy} names it`];
}

function describeRetained(because: string, repair: Change | undefined): Description {
  return repair === undefined
    ? { verb: "retained", style: "quiet", details: [because] }
    : { verb: "repair", style: "change", details: [because, ...changeDetails(repair)] };
}

function describePrune(carriedOut: boolean): Description {
  return carriedOut
    ? { verb: "prune", style: "bad", details: [] }
    : { verb: "left over", style: "quiet", details: ["nobody uses it; --prune removes it"] };
}

const VERBS = { repository: "change", drift: "repair", adoption: "adopt" } as const;

function changeDetails({ cause, by, differences, warning }: Change): readonly string[] {
  const who = cause === "drift" ? [`changed by ${by.join(", ") || "somebody unknown"}`] : [];
  const fields = differences.filter(({ path }) => path[1] !== "annotations" || cause === "adoption").map(fieldLine);
  const more = fields.length > SHOWN_FIELDS ? [`and ${fields.length - SHOWN_FIELDS} more fields`] : [];
  return [...who, ...fields.slice(0, SHOWN_FIELDS), ...more, ...(warning === undefined ? [] : [`warning: ${warning}`])];
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

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** `2 create, 1 change, 12 unchanged`; the kinds in the order in which they first appear. */
export function planSummary(items: readonly PlanItem[]): string {
  const counts = Map.groupBy(items, (item) => describeItem(item).verb);
  return [...counts].map(([verb, group]) => `${group.length} ${verb}`).join(", ") || "nothing is served";
}

/** What became of an item, for people; nothing for what was simply left as it is. */
export function outcomeLines(outcome: Outcome, output: Output): readonly string[] {
  const { item } = outcome;
  const name = `${item.object.kind} ${item.object.name}`;
  switch (outcome.result) {
    case "done":
    case "left":
      return item.kind === "unchanged" ? [] : itemLines(item, output);
    case "contested":
      return [
        `  ${output.paint("bad", "contested")} ${name}`,
        `              ${outcome.by.join(", ") || "somebody"} writes what we wrote over: ${outcome.fields.map(({ path }) => fieldText(path)).join(", ") || "again and again"}`,
        "              Find out who is right, and stop the other; the next sync tries again.",
      ];
    case "failed":
      return [`  ${output.paint("bad", "failed   ")} ${name}`, `              ${outcome.fault.message}`];
    case "skipped":
      return [`  ${output.paint("bad", "skipped  ")} ${name}`, `              ${outcome.because}`];
  }
}

/** A landscape that could not be planned or synced, as JSON; schemas/output/plan.schema.json. */
export function failureJson(landscape: string, { code, message }: Fault): object {
  return { landscape, kind: "failed", fault: { code, message } };
}

/** An item as JSON; schemas/output/plan.schema.json. */
export function itemJson(landscape: string, item: PlanItem): object {
  const entries = entryChanges(item);
  return {
    landscape,
    kind: item.kind,
    object: item.object,
    ...(entries.length > 0 && { entries }),
    ...detailsJson(item),
  };
}

function detailsJson(item: PlanItem): object {
  switch (item.kind) {
    case "create":
      return { missedBy: item.missedBy };
    case "change":
      return changeJson(item);
    case "retained":
      return { because: item.because, repair: item.repair && changeJson(item.repair) };
    case "prune":
      return { carriedOut: item.carriedOut };
    case "refused":
      return { refusal: item.refusal, reason: item.reason, remedy: item.remedy };
    case "waiting":
      return { reason: item.reason };
    case "unchanged":
      return {};
  }
}

function changeJson({ cause, by, differences, warning }: Change): object {
  const fields = differences.map(({ path, kind, wanted, found }) => ({ path: fieldText(path), kind, wanted, found }));
  return { cause, by, fields, warning };
}
